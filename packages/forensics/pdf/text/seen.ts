import type { Box } from '../../model.ts';
import { kindOf } from '../diff/values.ts';
import type { Fill, Mark, PaintedPage, Picture, Run } from '../paint/marks.ts';
import { area, boxAround, common, union } from '../paint/matrix.ts';
import { type Word, wordsOf } from './words.ts';

/** In points: smaller text is illegible. */
const SMALLEST = 1;
/** A character is hidden if this share of its middle is. */
const MOST = 0.75;
const FAINTEST = 0.04;
/** What lies below a lighter cover can be read. */
export const OPAQUE = 0.9;
const SAME_CHANNEL = 8;
/** The part between the baseline and the top of small letters, relative to the font size: it makes a character legible. */
const MIDDLE = { low: 0.05, high: 0.5 };
const BAND = 16;
const MAX_BANDS = 2000;

export type Cover = Fill | Picture;

/** Whether a mark hides what was painted before it. Patterns may have holes. */
export function isOpaque(mark: Mark): mark is Cover {
  if (mark.kind === 'text' || mark.alpha < OPAQUE || mark.blended) return false;
  return mark.kind === 'fill' ? mark.colour !== undefined : mark.opaque;
}

export type Invisible = 'no paint' | 'transparent' | 'too small' | 'outside';

/** Why a run is invisible even with nothing painted over it. */
export function whyInvisible(run: Run): Invisible | undefined {
  if (run.mode === 3 || run.mode === 7) return 'no paint';
  if (run.alpha < FAINTEST) return 'transparent';
  if (run.fontSize < SMALLEST) return 'too small';
  return area(run.box) < (1 - MOST) * area(run.whole) ? 'outside' : undefined;
}

/** The share of the smaller text that must lie over a hidden one to replace it. */
const OVER = 0.4;

/** A page as people see it. */
export interface Shown {
  runs: Run[];
  /** Where annotations hide text and write no value of its kind instead. */
  hidden: Box[];
}

/**
 * The visible text of the page itself, without what annotations hide. What they write over a value of the same kind stands in its place;
 * what they write beside the page's text is a remark, and no part of the document.
 */
export function shownOn(page: PaintedPage): Shown {
  const own = seenRuns(page);
  const added = page.marks.filter(({ layer }) => layer !== '');
  const covers = added.filter(isOpaque);
  if (covers.length === 0) return { runs: own, hidden: [] };
  const near = byPlace(covers);
  const places = wordsOf(own).flatMap(({ text, runs }) => {
    const [first, ...others] = runs.flatMap((run) => hiddenBox(run, near(run.whole)) ?? []);
    return first === undefined ? [] : [{ box: others.reduce(union, first), kind: kindOf(text) }];
  });
  const written = wordsOf(
    added.flatMap((run) =>
      run.kind === 'text' && whyInvisible(run) === undefined ? leftOf(run, near(run.whole)) : [],
    ),
  );
  const stands = (word: Word, { box, kind }: (typeof places)[number]) =>
    kind !== 'text' &&
    kind === kindOf(word.text) &&
    area(common(word.box, box)) >= OVER * Math.min(area(word.box), area(box));
  const instead = written.filter((word) => places.some((place) => stands(word, place)));
  return {
    runs: [...own.flatMap((run) => leftOf(run, near(run.whole))), ...instead.flatMap(({ runs }) => runs)],
    hidden: places.filter((place) => !instead.some((word) => stands(word, place))).map(({ box }) => box),
  };
}

/** The visible text of the page's own content; partly covered runs lose the covered characters. */
export function seenRuns(page: PaintedPage): Run[] {
  const own = page.marks.filter(({ layer }) => layer === '');
  const around = byPlace(own.filter((mark) => mark.kind !== 'text'));
  return own.flatMap((run) => {
    if (run.kind !== 'text' || whyInvisible(run) !== undefined) return [];
    const near = around(run.whole);
    return isLikeGround(run, near) ? [] : leftOf(run, near.filter(isOpaque));
  });
}

/** Whether text has the colour of what it is painted on; the page is white where nothing lies below. */
export function isLikeGround({ order, whole, colour, mode }: Run, around: readonly (Fill | Picture)[]): boolean {
  if (colour === undefined || mode % 4 !== 0) return false;
  const below = around.filter((mark) => mark.order < order && area(common(mark.box, whole)) > 0);
  const top = below.at(-1);
  if (top === undefined) return isSameColour(colour, '#ffffff');
  const isKnown = isOpaque(top) && top.colour !== undefined && area(common(top.box, whole)) >= MOST * area(whole);
  return isKnown && isSameColour(colour, top.colour ?? '');
}

function isSameColour(one: string, other: string): boolean {
  return [1, 3, 5].every((at) => {
    const [value, same] = [one, other].map((colour) => Number.parseInt(colour.slice(at, at + 2), 16));
    return value !== undefined && same !== undefined && Math.abs(value - same) <= SAME_CHANNEL;
  });
}

/** Finds the marks near a region, in painting order, without examining all marks. */
export function byPlace<T extends Fill | Picture>(marks: readonly T[]): (region: Box) => readonly T[] {
  const bands = new Map<number, T[]>();
  for (const mark of marks) {
    for (const band of bandsOf(mark.box)) {
      const among = bands.get(band);
      if (among === undefined) bands.set(band, [mark]);
      else among.push(mark);
    }
  }
  return (region) => {
    const near = new Set(bandsOf(region).flatMap((band) => bands.get(band) ?? []));
    return [...near].sort((a, b) => a.order - b.order);
  };
}

function bandsOf({ y, height }: Box): number[] {
  const first = Math.floor(y / BAND);
  const last = Math.min(Math.floor((y + height) / BAND), first + MAX_BANDS);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** The parts of a run that covers painted later leave visible. */
export function leftOf(run: Run, covers: readonly Cover[]): Run[] {
  const later = covers.filter(({ order, box }) => order > run.order && area(common(box, run.whole)) > 0);
  if (later.length === 0) return [run];
  const hidden = charactersOf(run).map((middle) => later.some(({ box }) => isWithin(middle, box)));
  return hidden.includes(true) ? partsOf(run, hidden) : [run];
}

/** The box around the characters of a run that covers painted later hide; undefined if they hide none. */
export function hiddenBox(run: Run, covers: readonly Cover[]): Box | undefined {
  const later = covers.filter(({ order, box }) => order > run.order && area(common(box, run.whole)) > 0);
  if (later.length === 0) return undefined;
  const hidden = charactersOf(run).filter((middle) => later.some(({ box }) => isWithin(middle, box)));
  return hidden.length === 0 ? undefined : hidden.reduce(union);
}

function isWithin(middle: Box, cover: Box): boolean {
  return area(common(middle, cover)) >= MOST * area(middle);
}

/** The middle part of each character, as a box. */
function charactersOf(run: Run): Box[] {
  const { low, high } = MIDDLE;
  const at = pointOn(run);
  return run.advances.map((end, index) => {
    // The characters of a ligature all end where it ends; a character without width gets a minimal one.
    const start = Math.min(run.advances[index - 1] ?? 0, end - 0.01);
    return boxAround([
      at(start, low * run.fontSize),
      at(start, high * run.fontSize),
      at(end, low * run.fontSize),
      at(end, high * run.fontSize),
    ]);
  });
}

function pointOn({ start, angle }: Run): (along: number, above: number) => { x: number; y: number } {
  const radians = (angle * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  return (along, above) => ({ x: start.x + along * cos + above * sin, y: start.y + along * sin - above * cos });
}

function partsOf(run: Run, hidden: boolean[]): Run[] {
  const parts: Run[] = [];
  for (let from = 0; from < hidden.length; from++) {
    if (hidden[from] === true) continue;
    let to = from + 1;
    while (to < hidden.length && hidden[to] === false) to++;
    parts.push(partOf(run, from, to));
    from = to;
  }
  return parts;
}

function partOf(run: Run, from: number, to: number): Run {
  const begin = run.advances[from - 1] ?? 0;
  const end = run.advances[to - 1] ?? begin;
  const at = pointOn(run);
  const [start, stop] = [at(begin, 0), at(end, 0)];
  const whole =
    run.angle === 0
      ? { x: start.x, y: run.whole.y, width: end - begin, height: run.whole.height }
      : boxAround([at(begin, -0.21 * run.fontSize), at(end, 0.74 * run.fontSize)]);
  return {
    ...run,
    text: run.text.slice(from, to),
    whole,
    box: common(whole, run.box),
    start,
    end: stop,
    advances: run.advances.slice(from, to).map((advance) => advance - begin),
  };
}
