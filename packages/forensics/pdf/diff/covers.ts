import type { Box } from '../../model.ts';
import type { Mark, PaintedPage, Run } from '../paint/marks.ts';
import { area, common, identity, union } from '../paint/matrix.ts';
import { phrasesOf } from '../text/lines.ts';
import {
  byPlace,
  type Cover,
  hiddenBox,
  isLikeGround,
  isOpaque,
  leftOf,
  OPAQUE,
  seenRuns,
  whyInvisible,
} from '../text/seen.ts';
import { type Word, wordsOf } from '../text/words.ts';
import { type Change, changesOf } from './word-changes.ts';

/** Hidden text, and what is written there instead. */
export interface Covered extends Change {
  /** Undefined if the text is hidden by the colour of its background. */
  cover: Cover | undefined;
  /** The box of the hidden characters. */
  hidden: Box;
  /** Whether nearly all the rest of the page, apart from text on covers, was painted before: a layout paints one box after the other. */
  isLast: boolean;
  /** Whether the cover is a box whose colour clearly differs from everything under and around it. */
  isApparent: boolean;
  /** How many covers of the page have the same left and right edges, like the cells of a column. */
  alike: number;
  /** Whether it surely hides what lies below, unlike a pattern, a shading, a shape of any form and letters in the colour of the ground. */
  isSure: boolean;
}

/** A picture that covers this share of a page is a scan; another cover of that size lays a new page over the old one. */
const WHOLE_PAGE = 0.4;
/** Pictures that together cover more of a page are the strips of a scan. */
const MAX_PAGE_SHARE = 0.6;
/** If no more of its words differ, a new page is the old one with changes; otherwise it is unrelated. */
const CHANGED = 0.3;
/** A stamp or a page number may be painted after the cover. */
const FINISHED = 0.97;
const COVERS_LOOKED_AT = 300;
/** What forms show where a value is missing. */
const SAMPLE =
  /^[\s([{<*_]|^[0\s.,/:X#-]*$|^(?:specify|select|choose|enter|click|type|please|here|bitte|hier|auswahlen|eingeben|choisir|saisir|seleccione|scegliere|kies|wybierz)\b/i;
const PAPER = '#ffffff';
/** The share of a cover under which one ground must lie to hide the paper, and the share from which a box overlaps it. */
const UNDER = 0.95;
const OVERLAP = 0.02;
/** In points: a box beneath that reaches no further cannot be seen. */
const SEEN = 2;
/** In a channel, from 0 to 255: the shading of rows differs less from paper. */
const APPARENT = 48;

/**
 * The text of a page and its form fields that is hidden, whether the page's own content or annotations hide it. Text that is painted again
 * does not count.
 */
export function coveredOn({ width, height, marks }: PaintedPage): Covered[] {
  const opaque = marks.filter(isOpaque);
  const isScan = sumOf(opaque.filter(({ kind }) => kind === 'picture')) > MAX_PAGE_SHARE * width * height;
  const size = width * height;
  const flat = opaque.filter(
    ({ kind, box, colour }) => kind === 'fill' || colour !== undefined || (!isScan && area(box) < WHOLE_PAGE * size),
  );
  const shapes = byPlace(marks.filter((mark) => mark.kind !== 'text'));
  const covering = byPlace(opaque);
  const painted = marks.filter(isRun).filter(isPainted);
  const runs = painted.filter((run) => !isLikeGround(run, shapes(run.whole)));
  const own = runs.filter(({ layer }) => layer === '');
  const hideable = runs.filter(isContent);
  const hiding = hidingAmong(flat, hideable);
  const unsure = hidingAmong(
    [...marks.filter(mayHide), ...lettersAmong(painted, runs)].filter(({ box }) => area(box) < WHOLE_PAGE * size),
    hideable,
  );
  const first = firstAfter([...hiding], own);
  const columns = Map.groupBy(hiding, columnOf);
  const covers = [
    ...[...hiding].slice(0, COVERS_LOOKED_AT).map((cover) => ({ cover, isSure: true })),
    ...[...unsure].slice(0, COVERS_LOOKED_AT).map((cover) => ({ cover, isSure: false })),
  ];
  return covers.flatMap(({ cover, isSure }) => {
    const about = {
      isLast: cover.order > first,
      isApparent: isApparent(cover, covering(cover.box)),
      alike: columns.get(columnOf(cover))?.length ?? 1,
      isSure,
    };
    const isPage = area(cover.box) >= WHOLE_PAGE * size;
    const around = isSure ? covering : (region: Box) => [...covering(region), cover];
    return hiddenBy(cover, runs, around, isPage).map((covered) => ({ ...covered, ...about }));
  });
}

function hidingAmong(covers: readonly Cover[], runs: readonly Run[]): Set<Cover> {
  const near = byPlace(covers);
  return new Set(runs.flatMap((run) => near(run.whole).filter((cover) => hiddenBox(run, [cover]) !== undefined)));
}

/** Comments are no part of the document; form fields are. */
function isContent({ layer }: Run): boolean {
  return layer === '' || layer === 'Widget';
}

/** Whether something is painted that may or may not let the text below show. */
function mayHide(mark: Mark): mark is Cover {
  return mark.kind !== 'text' && !mark.blended && mark.alpha >= OPAQUE && !isOpaque(mark);
}

/** Letters in the colour of the ground are invisible on it, but hide what they are painted on. */
function lettersAmong(painted: readonly Run[], visible: readonly Run[]): Cover[] {
  const seen = new Set(visible);
  return painted
    .filter((run) => !seen.has(run) && run.alpha >= OPAQUE && !run.blended)
    .map(({ whole, order, layer, alpha, blended, colour }) => ({
      kind: 'fill',
      box: whole,
      order,
      layer,
      alpha,
      blended,
      colour,
    }));
}

/** The painting order up to which nearly all of the page's text is painted, apart from text on the covers. */
function firstAfter(hiding: readonly Cover[], own: readonly Run[]): number {
  const on = byPlace(hiding);
  const off = own.filter(
    (run) => !on(run.whole).some(({ order, box }) => order < run.order && isMostly(run, grown(box, 2))),
  );
  return off[Math.floor(FINISHED * off.length) - 1]?.order ?? -1;
}

function isApparent({ colour, order, box }: Cover, covers: readonly Cover[]): boolean {
  const isHidden = covers.some((other) => other.order > order && area(common(other.box, box)) >= UNDER * area(box));
  if (isHidden) return false;
  const outside = grown(box, SEEN);
  const below = covers.filter(
    (other) =>
      other.order < order &&
      area(common(other.box, box)) >= OVERLAP * area(box) &&
      area(common(other.box, outside)) < area(other.box),
  );
  const isWhole = below.some((other) => area(common(other.box, box)) >= UNDER * area(box));
  const grounds = [...(isWhole ? [] : [PAPER]), ...below.map((other) => other.colour)];
  return grounds.every((ground) => colour !== undefined && ground !== undefined && isOther(colour, ground));
}

function isOther(colour: string, ground: string): boolean {
  return [1, 3, 5].some((at) => {
    const [own, other] = [colour, ground].map((one) => Number.parseInt(one.slice(at, at + 2), 16));
    return Math.abs((own ?? 0) - (other ?? 0)) > APPARENT;
  });
}

function columnOf({ box }: Cover): string {
  return `${Math.round(box.x)} ${Math.round(box.width)}`;
}

function isMostly({ whole }: Run, box: Box): boolean {
  return area(common(box, whole)) > 0.5 * area(whole);
}

function hiddenBy(
  cover: Cover,
  runs: readonly Run[],
  covering: (region: Box) => readonly Cover[],
  isPage: boolean,
): Pick<Covered, 'before' | 'after' | 'cover' | 'hidden'>[] {
  const near = runs.filter((run) => area(common(grown(cover.box, 20), run.whole)) > 0);
  const before = near
    .filter((run) => isContent(run) && run.order < cover.order)
    .flatMap((run) =>
      leftOf(
        run,
        covering(run.whole).filter(({ order }) => order < cover.order),
      ),
    );
  const words = wordsOf(before).filter((word) => word.runs.some((run) => hiddenBox(run, [cover]) !== undefined));
  const hidden = words.flatMap(({ runs: pieces }) => pieces.flatMap((run) => hiddenBox(run, [cover]) ?? []));
  if (hidden.length === 0) return [];
  const left = words.flatMap((word) => word.runs.flatMap((run) => leftOf(run, covering(run.whole))));
  const written = near
    .filter((run) => run.order > cover.order && (run.layer !== 'Widget' || cover.layer !== ''))
    .filter((run) => isMostly(run, grown(cover.box, 2)))
    .flatMap((run) => leftOf(run, covering(run.whole)));
  const changes = changesBetween(words, wordsOf([...left, ...written]));
  if (isPage && changes.flatMap(({ before: lost }) => lost).length > CHANGED * words.length) return [];
  return changes.flatMap((change) => {
    const own = hidden.filter((box) => change.before.some((word) => area(common(word.box, box)) > 0));
    return own.length === 0 ? [] : [{ ...change, cover, hidden: own.reduce(union) }];
  });
}

/** Text in the colour of its background, with other text in the same place. */
export function whitenedOn(page: PaintedPage): Covered[] {
  const shapes = byPlace(page.marks.filter((mark) => mark.kind !== 'text'));
  const own = page.marks.filter(isRun).filter(({ layer }) => layer === '');
  const white = own.filter((run) => whyInvisible(run) === undefined && isLikeGround(run, shapes(run.whole)));
  if (white.length === 0) return [];
  const seen = wordsOf(seenRuns(page));
  const words = wordsOf(white);
  const times = Map.groupBy(words, ({ text }) => text);
  // Text that recurs never showed a value: forms have such sample text in every empty field.
  const former = words.filter(({ text }) => !SAMPLE.test(text) && (times.get(text)?.length ?? 0) === 1);
  return phrasesOf(former).flatMap((word) => {
    const over = seen.filter(({ box }) => area(common(box, word.box)) > 0.4 * Math.min(area(box), area(word.box)));
    return changesBetween([word], over.length > 1 ? phrasesOf(over) : over).map((change) => ({
      ...change,
      cover: undefined,
      hidden: word.box,
      isLast: true,
      isApparent: false,
      alike: 1,
      isSure: true,
    }));
  });
}

function changesBetween(before: readonly Word[], after: readonly Word[]): Change[] {
  return changesOf({ words: before, view: identity }, { words: after, view: identity }).filter(
    (change) => change.before.length > 0,
  );
}

/** Text without paint counts: a cover over a scan also hides its recognised text. */
function isPainted(run: Run): boolean {
  const why = whyInvisible(run);
  return why === undefined || why === 'no paint';
}

function sumOf(covers: readonly Cover[]): number {
  return covers.reduce((sum, { box }) => sum + area(box), 0);
}

function isRun(mark: Mark): mark is Run {
  return mark.kind === 'text';
}

function grown({ x, y, width, height }: Box, by: number): Box {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}
