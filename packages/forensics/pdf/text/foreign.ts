import {
  BALANCE_AT,
  CARRIED,
  CLOSING,
  DEDUCTIONS,
  folded,
  GROSS,
  NET,
  OPENING,
  PAID,
  TOTAL,
} from '../../content/labels.ts';
import { kindOf } from '../diff/values.ts';
import { type FontObject, howAdded } from './font-objects.ts';
import { areOneFamily, type Face } from './fonts.ts';
import type { TextLine } from './lines.ts';
import { type Named, namesOn } from './names.ts';
import type { TextPage } from './read-pages.ts';
import { phraseOf, type Word } from './words.ts';

/** A value in a font that is used for values only, or a number in two fonts. */
export interface Foreign {
  page: number;
  word: Word;
  /** The fonts of the value and of the others. */
  font: string;
  usualFont: string;
  difference: string;
}

/** Documents with fewer words may use any fonts. */
const WRITTEN = 30;
/** A font used for values only may have at most this share of the file's words, and of its values of the same kind. */
const FEW = 0.25;
const FEW_ALIKE = 0.45;
/** At least this many values of the kind must be in the usual font. */
const ALIKE = 4;
/** Limits the cost: each value is compared with the rest of its page, and each font with the whole file. */
const MAX_VALUES = 500;
const MAX_FONTS = 30;
const SAME_SIZE = 0.25;
/** In font sizes. */
const SPACE = 0.7;
const VALUE = /^[^@/\\]{0,20}\d[^@\\]{0,40}$/;
/** What a name is compared with. */
const WORD = /\p{L}{2}/u;
/** In font sizes. */
const LINE_DISTANCE = 2.2;
/** Values have three digits or more: shorter numbers count pages, chapters and notes. */
const DIGITS = /(?:\d\D{0,3}){3}/;
const CURRENCY = /^(?:[€$£]|zł|[A-Z]{3})$/;
/** An amount, or a number of thousands; formulas and years may have several fonts. */
const NUMBER = /^[-+(\u2212]?(?:\d[\d.,'’]{0,18}[.,]\d{2}|\d{1,3}(?:[.,'’]\d{3})+|(?!(?:19|20)\d\d\)?$)\d{4,9})\)?-?$/;
const SUMS = [GROSS, NET, DEDUCTIONS, PAID, TOTAL, OPENING, CLOSING, CARRIED, BALANCE_AT];
/** The share of the other values painted apart from their surroundings from which that says nothing. */
const MOSTLY_APART = 0.3;
/** In points. */
const SAME_COLUMN = 2;
/** More values in a copy of the font are a form that was filled in. */
const MAX_COPIES = 12;

const COPY = 'copy of the font';

/** The fonts of the file; read only where a value may be foreign. */
type Fonts = () => readonly FontObject[];

interface Place {
  word: Word;
  line: TextLine;
  page: TextPage;
}

/**
 * Values whose font is used for values only, or for one name after its label, although most values of the kind in the same file have
 * another one: their font is of another family than the rest of their lines, or a second copy of the same font that their characters do
 * not require. Issuers choose fonts, too, and names say little of a family: so the values must be painted out of their turn, or the font be
 * added. For sums and accounts, which many issuers set in a font of their own, a font of another kind does not suffice.
 */
export function foreignValues(pages: readonly TextPage[], fonts: Fonts): Foreign[] {
  const places = pages.flatMap((page) =>
    page.lines.flatMap((line) => line.items.map((word) => ({ word, line, page }))),
  );
  if (places.length < WRITTEN) return [];
  const groups = Map.groupBy(places, ({ word }) => word.fontId);
  return [...groups.values()]
    .map((all) => all.filter(({ word }) => !CURRENCY.test(word.text)))
    .filter((own) => own.length <= MAX_VALUES && isOfValues(own, places))
    .slice(0, MAX_FONTS)
    .flatMap((own) => groupOf(own, places, fonts) ?? []);
}

/** The number of values that are compared with others of their kind; none in a document of few words. */
export function valuesIn(pages: readonly TextPage[]): number {
  const words = pages.flatMap(({ items }) => items);
  const values = words.filter(({ text }) => VALUE.test(text) && DIGITS.test(text)).length;
  return words.length < WRITTEN || values <= ALIKE ? 0 : values;
}

function isOfValues(own: readonly Place[], all: readonly Place[]): boolean {
  return (
    own.length > 0 &&
    own.length <= FEW * all.length &&
    own.every(({ word }) => word.angle === 0 && word.runs.every((run) => !run.isField)) &&
    ((own.every(({ word }) => VALUE.test(word.text)) && own.some(({ word }) => DIGITS.test(word.text))) || isName(own))
  );
}

/** Whether they are a name in its place. */
function isName(own: readonly Place[]): boolean {
  const [first] = own;
  return first !== undefined && namesOn(first.page).some((name) => isWhole(name, own));
}

function isWhole({ role, words }: Named, own: readonly Place[]): boolean {
  // Companies without a label often have a font of their own.
  return role !== 'company' && words.length === own.length && own.every(({ word }) => words.includes(word));
}

function groupOf(own: readonly Place[], all: readonly Place[], fonts: Fonts): Foreign[] | undefined {
  const group = new Set(own.map(({ word }) => word));
  const kinds = new Set(own.map(({ word }) => kindOf(word.text)));
  const isAlike = (text: string) => kinds.has(kindOf(text)) && (VALUE.test(text) || WORD.test(text));
  const alike = all.filter(({ word }) => !group.has(word) && isAlike(word.text));
  if (alike.length < ALIKE || own.length > FEW_ALIKE * (alike.length + own.length)) return undefined;
  const usual = usualOf(alike, all);
  if (usual === undefined) return undefined;
  const found = own.flatMap((place) => foreignOf(place, group, usual));
  const isForm = found.length > MAX_COPIES && found.every(({ difference }) => difference === COPY);
  if (isForm || found.length < own.length) return undefined;
  const added = new Set(found.map(({ font, usualFont }) => howAdded(font, usualFont, fonts())));
  const isAdded = added.has('written otherwise') || (added.has('of another kind') && !own.every(mayHaveOwnFont));
  return isAdded || isOutOfTurn(own, alike) ? joined(found) : undefined;
}

/** Issuers set sums and balances in fonts of their own, and account numbers in one with digits of equal width. */
function mayHaveOwnFont({ word, line }: Place): boolean {
  const kind = kindOf(word.text);
  const label = folded(line.text);
  return (kind !== 'amount' && kind !== 'date') || SUMS.some((sum) => sum.test(label));
}

/** The groups of digits of an account number as one value. */
function joined(found: readonly Foreign[]): Foreign[] {
  const values: Foreign[] = [];
  for (const one of found) {
    const last = values.at(-1);
    if (last === undefined || !isNext(last, one)) values.push(one);
    else values[values.length - 1] = { ...last, word: phraseOf(last.word, one.word) };
  }
  return values;
}

function isNext({ page, word: { box, start, fontSize } }: Foreign, next: Foreign): boolean {
  const gap = next.word.box.x - box.x - box.width;
  return page === next.page && start.y === next.word.start.y && gap > 0 && gap < SPACE * fontSize;
}

interface Usual extends Face {
  fontId: string;
  characters: Set<string>;
}

/** The font of most values. */
function usualOf(alike: readonly Place[], all: readonly Place[]): Usual | undefined {
  const fonts = [...Map.groupBy(alike, ({ word }) => word.fontId).values()].sort((a, b) => b.length - a.length);
  const [first] = fonts;
  const word = first?.[0]?.word;
  if (first === undefined || word === undefined || first.length < ALIKE) return undefined;
  const inFont = all.filter((place) => place.word.fontId === word.fontId);
  const characters = new Set(inFont.flatMap((place) => [...place.word.text]));
  return { font: word.font, programFamily: word.programFamily, fontId: word.fontId, characters };
}

function foreignOf({ word, line, page }: Place, group: ReadonlySet<Word>, usual: Usual): Foreign[] {
  const isAsLarge = (other: Word) =>
    !group.has(other) && Math.abs(other.fontSize - word.fontSize) <= SAME_SIZE * word.fontSize;
  const onLine = line.items.filter(isAsLarge);
  const beside = onLine.length > 0 ? onLine : page.items.filter((other) => isAsLarge(other) && isNextLine(other, line));
  if (beside.length === 0) return [];
  const isOther = !areOneFamily(word, usual) && beside.every((other) => !areOneFamily(word, other));
  const isCopy =
    word.font === usual.font &&
    word.font !== '' &&
    [...word.text].every((character) => usual.characters.has(character));
  if (!isOther && !isCopy) return [];
  const difference = isOther ? 'font' : COPY;
  return [{ page: page.number, word, font: word.font, usualFont: usual.font, difference }];
}

/** Whether it begins where the line begins, directly above or below. */
function isNextLine({ start, fontSize, angle }: Word, { items: [first] }: TextLine): boolean {
  if (first === undefined || angle !== 0) return false;
  return (
    Math.abs(start.x - first.start.x) < SAME_SIZE * fontSize &&
    Math.abs(start.y - first.start.y) < LINE_DISTANCE * fontSize
  );
}

/**
 * Whether they were painted last, although other text stands below them or to their right, and apart from their surroundings: programs that
 * paint row by row paint a value beside its label, and others paint columns from top to bottom.
 */
function isOutOfTurn(own: readonly Place[], alike: readonly Place[]): boolean {
  if (!isPaintedLast(own)) return false;
  const group = new Set(own.map(({ word }) => word));
  const isApart = (place: Place) => !paintedBeside(place, group).some((other) => isNear(place, other));
  const apart = own.filter(isApart).length > own.length / 2;
  const usual = alike.slice(0, MAX_VALUES);
  if (apart && usual.filter(isApart).length < MOSTLY_APART * usual.length) return true;
  return own.some(({ word, page }) => usual.some((other) => other.page === page && isBelow(other.word, word)));
}

/** The words painted directly before and after it, and not in the group. */
function paintedBeside({ word, page }: Place, group: ReadonlySet<Word>): Word[] {
  const at = page.items.indexOf(word);
  const isOther = (other: Word) => !group.has(other);
  const before = page.items.slice(0, at).findLast(isOther);
  const after = page.items.slice(at + 1).find(isOther);
  return [before, after].filter((other) => other !== undefined);
}

/** On its line, directly above or below, or above in its column. */
function isNear({ word, line }: Place, other: Word): boolean {
  const isOver = other.box.x < word.box.x + word.box.width && word.box.x < other.box.x + other.box.width;
  const isClose = isOver && Math.abs(other.start.y - word.start.y) < LINE_DISTANCE * word.fontSize;
  return isClose || isBelow(word, other) || line.items.some((one) => one === other);
}

/** In the same column: they begin or end at the same distance from the page's edge. */
function isBelow({ box, start }: Word, above: Word): boolean {
  const isAligned = [box.x - above.box.x, box.x + box.width - above.box.x - above.box.width].some(
    (distance) => Math.abs(distance) < SAME_COLUMN,
  );
  return isAligned && start.y > above.start.y + above.fontSize;
}

function isPaintedLast(own: readonly Place[]): boolean {
  const group = new Set(own.map(({ word }) => word));
  return own.every(({ word, line, page }) => {
    const later = page.items.some((other) => !group.has(other) && other.order > word.order);
    const follows = (other: Word) => !group.has(other) && other.start.y > word.start.y + word.fontSize;
    return !later && (line.items.some((other) => other.box.x > word.box.x) || page.items.some(follows));
  });
}

/**
 * Numbers whose digits have fonts of two families, at the same size, if the one font was added, or the digits are not painted one after the
 * other.
 */
export function mixedNumbers(pages: readonly TextPage[], fonts: Fonts): Foreign[] {
  return pages.flatMap((page) =>
    page.items.flatMap((word) => {
      if (!NUMBER.test(word.text) || word.angle !== 0) return [];
      const digits = word.runs.filter(({ text }) => /\d/.test(text));
      const [first] = digits;
      const other = digits.find((run) => first !== undefined && !areOneFamily(run, first));
      if (first === undefined || other === undefined) return [];
      const [font, usualFont] =
        other.text.length <= first.text.length ? [other.font, first.font] : [first.font, other.font];
      const isOfOneSize = Math.abs(first.fontSize - other.fontSize) < 0.06 * first.fontSize;
      const orders = word.runs.map(({ order }) => order).sort((a, b) => a - b);
      const isInTurn = orders.every((order, index) => order - (orders[index - 1] ?? order - 1) === 1);
      const isAdded = howAdded(font, usualFont, fonts()) === 'written otherwise';
      return isOfOneSize && (isAdded || !isInTurn)
        ? [{ page: page.number, word, font, usualFont, difference: 'two fonts within the number' }]
        : [];
    }),
  );
}
