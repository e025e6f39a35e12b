import type { Box } from '../../model.ts';
import { type Covered, coveredOn, whitenedOn } from '../../pdf/diff/covers.ts';
import { areOtherNames, cut, isDecoded, isLegible, isLikeName, kindOf, quoted } from '../../pdf/diff/values.ts';
import { textOf } from '../../pdf/diff/word-changes.ts';
import { common, union } from '../../pdf/paint/matrix.ts';
import { readPaint } from '../../pdf/paint/read-paint.ts';
import { readPages } from '../../pdf/text/read-pages.ts';
import { isDark } from '../../pdf/text/redactions.ts';
import type { Word } from '../../pdf/text/words.ts';
import { type Finding, type Rule, type Strength, verdictOf } from '../../rule.ts';

const WEIGHT: Record<Strength, number> = { strong: 0, medium: 1, context: 2 };
/** Fewer words on all pages are no document. */
const MIN_WORDS = 12;
const MAX_VALUE_LENGTH = 300;
/** A shorter text may be part of another one by chance. */
const MIN_LETTERS = 12;
/** In font sizes: a cover made for one value is at most a few lines tall. */
const TIGHT = 3.2;
/** The same for a picture of one value. */
const SNUG = 1.7;
const FEW_WORDS = 12;
const SHARED = 0.4;
/** This many covers with the same left and right edges are the cells of a column. */
const COLUMN = 4;
/** Bounds the time for OCR, which decides about names only. */
const MAX_READINGS = { names: 16, values: 8 };

/**
 * Text under a rectangle or picture remains in the file, and so does the order of painting: text, an opaque shape over it, and other text
 * in the same place are how online editors and overlays change a value. Words are compared as they were before the cover and as they read
 * now, so a cover that shows the same text again, or that lies beneath the text it belongs to (shaded rows, table cells), is clean.
 *
 * Replaced text is strong if the new words are where the hidden characters are and of about their size, the rest of the page was painted
 * before, and the cover is not much larger than the value, or both values are figures at exactly the same place; otherwise it is weaker.
 * Hidden text without a replacement is medium, blackened text is context; under a picture it counts if it has digits, or if it may be a
 * name and OCR reads another one. Layouts that paint one box after another, and clip words that overflow a cell, are recognised by figures
 * that follow words, by equal covers, and by a page that was unfinished at the cover. A box whose colour clearly differs from everything
 * under and around it is at most medium over figures, and otherwise context.
 *
 * Comments, stamps and drawings that viewers add hide and replace a figure like the page's own paint. People add them beside and over text,
 * too, so other text weighs less, a date in the place of another figure nothing, and so does a figure below a stamp that shows none. Form fields
 * weigh less, and text marked as the content of a flattened one counts like the field. What may let the text below show, such as a shading,
 * counts if a figure of the same kind is written exactly over the other.
 *
 * Known false positives: flattened forms whose fields lie over a sample value; overlapping labels of charts. A page printed from a browser
 * may have one layer over another: such layers are larger than a few lines and are ignored.
 *
 * Source: ISO 32000-1, 8.2 and 11.3 (painting order and opacity); own reasoning.
 */
export const coveredText: Rule = {
  name: 'covered-text',
  version: 6,
  title: 'Text under rectangles, pictures and annotations',
  strength: 'strong',
  family: 'content',
  substance: true,
  appliesTo: ['pdf'],
  async run({ bytes, textIn }) {
    const found = new Map<string, Weighed>();
    const read = { names: 0, values: 0 };
    for (const page of await readPaint(bytes)) {
      for (const covered of [...coveredOn(page), ...whitenedOn(page)]) {
        const kind = isLikeName(textOf(covered.before)) ? 'names' : 'values';
        const box = read[kind] < MAX_READINGS[kind] && isOneValue(covered) ? covered.cover?.box : undefined;
        if (box !== undefined) read[kind]++;
        const shown = box && ((await textIn?.(page.number, box).catch(() => '')) ?? '');
        const finding = findingOf(covered, page.number, shown);
        if (finding !== undefined) found.set(`${page.number}\n${finding.message}`, finding);
      }
    }
    const pages = await readPages(bytes);
    const words = pages.reduce((sum, { items }) => sum + items.length, 0);
    return verdictOf(
      [...found.values()].sort((a, b) => WEIGHT[a.strength] - WEIGHT[b.strength]),
      { count: words < MIN_WORDS ? 0 : words, what: 'word', none: 'The pages have hardly any text.' },
    );
  },
};

type Weighed = Finding & { strength: Strength };

/** A cover that may show another value or name than the one below: a picture, or a rectangle with curves. */
function isOneValue(covered: Covered): boolean {
  const { cover, before, isLast, alike } = covered;
  const text = textOf(before);
  if (!isLast || alike >= COLUMN || !(/\d/.test(text) || isLikeName(text))) return false;
  const isRead = cover?.layer === '' && (cover.kind === 'fill' ? !isDark(cover.colour) : cover.colour === undefined);
  return isRead && writtenOver(covered).length === 0 && isTight(covered) && isWhole(before, cover.box);
}

/** @param shown what the cover shows, if it is a picture and was read */
function findingOf(covered: Covered, page: number, shown = ''): Weighed | undefined {
  const before = textOf(covered.before);
  const after = textOf(covered.after);
  if (!isLegible(before) || !isDecoded(before) || !isDecoded(after)) return undefined;
  if (areSame(before, after)) return undefined;
  const retyped = isLegible(after) && writtenOver(covered).length > 0;
  const strength = retyped ? weightOfRetyped(covered) : weightOfHidden(covered, shown);
  if (strength === undefined) return undefined;
  const message = retyped
    ? `The ${kindOf(after)} on page ${page} reads ${quoted(after)}, written over ${quoted(before)}, which is still there below.`
    : `${quoted(before)} on page ${page} is ${howHidden(covered)}${shown ? ` and in which OCR reads ${quoted(shown)}` : ''}.`;
  return {
    message,
    strength,
    evidence: [
      {
        page,
        box: retyped ? covered.after.map(({ box }) => box).reduce(union) : covered.hidden,
        before: cut(before, MAX_VALUE_LENGTH),
        after: cut(retyped ? after : shown, MAX_VALUE_LENGTH),
      },
    ],
  };
}

/**
 * Whether both are the same text: the one below lacks separators, or its font lacks letters.
 */
function areSame(before: string, after: string): boolean {
  const [old, now] = [before, after].map((text) => text.replace(/[^\p{L}\p{N}]/gu, ''));
  if (old === undefined || now === undefined || old === '') return false;
  // A decimal point that the lower text lacks makes a figure smaller, which no forger wants.
  if (old === now) return /\d/.test(old) && !/[.,]/.test(before);
  if (/\d/.test(old + now) || old.length < MIN_LETTERS || old.length < now.length / 3) return false;
  let at = 0;
  for (const letter of now) if (letter === old[at]) at++;
  return at === old.length;
}

function howHidden({ cover }: Covered): string {
  if (isDark(cover?.colour)) return 'blackened, and still there below';
  return `hidden by ${cover?.kind === 'picture' ? 'a picture' : 'a rectangle'} that was painted over it`;
}

/** The new words on the line and at the position of hidden characters. */
function writtenOver({ before, after, hidden }: Covered): Word[] {
  return after.filter((word) => {
    const shared = common({ ...word.box, y: hidden.y, height: hidden.height }, hidden).width;
    return (
      shared >= SHARED * Math.min(word.box.width, hidden.width) && before.some((old) => isLike(old, word, 0.5, 1.67))
    );
  });
}

/** Whether two words are on one line, within this many font sizes, and of about the same size. */
function isLike(one: Word, other: Word, sizes: number, ratio: number): boolean {
  const [small, large] = [one.fontSize, other.fontSize].sort((a, b) => a - b);
  if (small === undefined || large === undefined || one.angle !== other.angle || large > ratio * small) return false;
  const radians = (one.angle * Math.PI) / 180;
  const [dx, dy] = [other.start.x - one.start.x, other.start.y - one.start.y];
  return Math.abs(dy * Math.cos(radians) - dx * Math.sin(radians)) <= sizes * small;
}

function weightOfRetyped(covered: Covered): Strength | undefined {
  const { before, after, cover, isLast, isApparent, isSure, alike } = covered;
  const written = writtenOver(covered);
  const [old, now] = [textOf(before), textOf(written)];
  const values = [old, now].filter((value) => /\d/.test(value)).length;
  const isField = written.every(({ runs }) => runs.every((run) => run.isField));
  if (cover?.layer === 'Widget' || isField) return values === 2 && isSure ? 'medium' : undefined;
  const exact = before.some((one) => after.some((word) => isLike(one, word, 0.15, 1.12)));
  if (!isSure) return exact && values === 2 && kindOf(old) === kindOf(now) ? 'medium' : undefined;
  if ([cover, ...written.flatMap(({ runs }) => runs)].some((mark) => mark !== undefined && mark.layer !== ''))
    return weightOfAdded(covered, old, now, exact);
  if (!isTight(covered) && !exact) return undefined;
  // Words that overflow into the next cell, whose background hides them, are followed by a value of another kind.
  if (!areAlike(old, now) || (!isFigure(now) && alike >= COLUMN)) return undefined;
  if (!isLast) return isFigure(now) && kindOf(old) === kindOf(now) ? 'medium' : 'context';
  // Readers see that such a box was added.
  if (isApparent) return isFigure(old) && isFigure(now) ? 'medium' : 'context';
  return isTight(covered) || values === 2 ? 'strong' : 'medium';
}

/** With annotations, which people also lay over text without changing it. */
function weightOfAdded(covered: Covered, old: string, now: string, exact: boolean): Strength {
  const [was, is] = [kindOf(old), kindOf(now)];
  if (was !== 'text' && is !== 'text') {
    if (was !== is && [was, is].includes('date')) return 'context';
    return was === is && (exact || isTight(covered)) ? 'strong' : 'medium';
  }
  return was === is && exact && isTight(covered) ? 'medium' : 'context';
}

/** Whether the replaced part and its replacement are both figures or both other text. */
function areAlike(before: string, after: string): boolean {
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before[start] === after[start]) start++;
  let end = 0;
  while (end < shortest - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const [old, now] = [before, after].map((text) => text.slice(start, text.length - end));
  if (old === undefined || now === undefined || !/\w/.test(old) || !/\w/.test(now))
    return isFigure(before) === isFigure(after);
  return isFigure(old) === isFigure(now);
}

/** Whether the text consists of figures, signs, currencies and the like. */
function isFigure(text: string): boolean {
  return /\d/.test(text) && (kindOf(text) === 'IBAN' || !/\p{L}{4}/u.test(text));
}

function weightOfHidden(covered: Covered, shown: string): Strength | undefined {
  const { before, after, cover, hidden, isLast, isApparent, isSure, alike } = covered;
  if (cover === undefined || !isSure) return undefined;
  const { layer, colour, kind, box } = cover;
  if (isDark(colour) || isApparent) return 'context';
  if (layer === 'Widget' || !isTight(covered) || !isWhole(before, box)) return undefined;
  const isValue = /\d/.test(textOf(before));
  if (!isLast || alike >= COLUMN) return undefined;
  const isPicture = kind === 'picture' && colour === undefined;
  // A stamp or a signature is larger than a value, or shows words.
  if (layer !== '' && (isLegible(textOf(after)) || (isPicture && !isOfOneValue(covered)))) return 'context';
  if (isPicture) return isValue || isOtherName(textOf(before), shown) ? 'medium' : undefined;
  return (isValue || before.length > 1) && box.width <= 3 * hidden.width + 60 ? 'medium' : 'context';
}

/** Whether the cover is hardly larger than the line it hides. */
function isOfOneValue({ before, hidden, cover }: Covered): boolean {
  const size = Math.max(...before.map(({ fontSize }) => fontSize));
  return cover !== undefined && cover.box.height <= SNUG * size && cover.box.width <= 2 * hidden.width + 2 * size;
}

/** A picture that shows the text below it is a logo. */
function isOtherName(before: string, shown: string): boolean {
  return isLikeName(before) && isLikeName(shown) && areOtherNames(before, shown);
}

/** Whether a cover is about as large as the text it hides. */
function isTight({ before, cover }: Covered): boolean {
  if (cover === undefined) return true;
  const size = Math.max(...before.map(({ fontSize }) => fontSize));
  return Math.min(cover.box.height, cover.box.width) <= TIGHT * size && before.length <= FEW_WORDS;
}

/** Whether a cover leaves out no more than an edge of a word. */
function isWhole(before: readonly Word[], cover: Box): boolean {
  return before.some(({ box }) => {
    const { width, height } = common(box, cover);
    return box.width >= box.height ? width >= 0.9 * box.width : height >= 0.9 * box.height;
  });
}
