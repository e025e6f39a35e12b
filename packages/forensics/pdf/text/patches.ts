import { folded } from '../../content/labels.ts';
import type { Box } from '../../model.ts';
import { isLikeName } from '../diff/values.ts';
import type { PaintedPage, Picture } from '../paint/marks.ts';
import { area, common } from '../paint/matrix.ts';
import { curvesIn } from './curves.ts';
import type { TextPage } from './read-pages.ts';
import type { Word } from './words.ts';

/** In font sizes: the height and width of a picture of one value. */
const HIGHEST = 2.4;
const NARROWEST = 1.5;
const BROADEST = 30;
/** In points: how far the edges of a patch may lie outside the value that it shows. */
const EDGE = 6;
/** In font sizes: how far away the other values of its column, or the lines of its block, may be. */
const COLUMN_REACH = 40;
const BLOCK_REACH = 2.6;
/** In font sizes: how much the spacing of lines may vary. */
const SPACING = 0.4;
/** The share of the page's height above which the names of companies stand. */
const LETTERHEAD = 0.08;
/** In font sizes: a wider gap separates columns. */
const APART = 3;
/** A page with more patches is laid out with pictures, such as flags or icons in a list. */
const MOST = 4;
const PICTURES_LOOKED_AT = 300;
/** Bounds the cost of pages with many words in one place. */
const FIGURES_LOOKED_AT = 1_000;
const ENDINGS_LOOKED_AT = 100;
const FIGURE = /\d/;
/** Labels that are followed by a value. */
const VALUE_LABEL =
  /\b(?:iban|bic|konto\w*|account(?: number)?|compte|cuenta|conto|conta|rekening\w*|rachun\w*|geburtsdatum|geb\.?|birth\w*|nacimiento|naissance|nascita|nascimento|geboortedatum|urodzenia|nif|dni|nie|pesel|bsn|name|nombre|nom|nome|naam)\W{0,3}$/;
/** Places for a signature, a stamp or a logo, in which letters and forms have a picture. */
const SIGNED_LABEL =
  /\b(?:unterschrift\w*|unterzeichn\w*|gez|stempel|siegel|signature|signed|seal|stamp|logo|firma|firmado|sello|cachet|timbre|signe|timbro|handtekening|podpis|pieczec|assinatura|carimbo)\b/;
/** In font sizes: how far above the typed name a signature may end. */
const SIGNATURE_REACH = 3.2;
const MAX_LABEL_WORDS = 6;
const LABEL = /\p{L}.{0,40}$/u;

/** A picture or a drawing in place of text. */
export interface Patch {
  box: Box;
  /** The text to the left of it on its line; empty if the patch is a line of its own. */
  label: string;
  /** Whether curves show the value, instead of pixels. */
  isDrawn: boolean;
  /** Whether a value is expected there: after its label, in a column of figures or in a block of lines. */
  isInPlace: boolean;
  /** Whether figures above or below end where it does, or texts begin there. */
  isInColumn: boolean;
  /** Whether it fills or extends a block of lines below the letterhead. */
  isNextLine: boolean;
}

/** Small pictures and drawings in place of a value or of a line in a block of text, and other pictures of their size, which may show one. */
export function patchesOn({ marks, width }: PaintedPage, page: TextPage): Patch[] {
  const pictures = marks.filter(
    (mark): mark is Picture => mark.kind === 'picture' && mark.layer === '' && mark.colour === undefined,
  );
  const small = pictures.filter(({ box }) => box.width < width / 2 && box.height < 40).slice(0, PICTURES_LOOKED_AT);
  const curves = curvesIn(marks).slice(0, PICTURES_LOOKED_AT);
  const found = distinct([
    ...small.flatMap(({ box }) => patchAt(box, page) ?? []),
    ...curves.flatMap((box) => patchAt(box, page, true) ?? []),
  ]);
  const groups = Map.groupBy(found, ({ isInPlace, isDrawn }) => `${isInPlace} ${isDrawn}`);
  return [...groups.values()].flatMap((some) => (some.length > MOST ? [] : some));
}

function patchAt(box: Box, page: TextPage, isDrawn = false): Patch | undefined {
  const level = page.items.filter(({ angle }) => angle === 0);
  // Text on or under the picture is left to the rule about covered text.
  if (level.some((word) => area(common(word.box, box)) > 0.3 * area(word.box))) return undefined;
  const line = level.filter((word) => isBeside(word, box));
  const size = line[0]?.fontSize ?? nearestSize(level, box);
  if (size === undefined || !fits(box, size)) return undefined;
  const label = line
    .filter((word) => word.box.x < box.x)
    .sort((a, b) => a.box.x - b.box.x)
    .map(({ text }) => text)
    .join(' ');
  // What stands far to its right belongs to another column.
  const isFirst = line.every((word) => word.box.x - box.x - box.width > APART * size);
  const hasLabel = LABEL.test(label);
  const isColumn = isInColumn(box, level, size);
  if (!isFirst && !hasLabel && !isColumn) return undefined;
  if (SIGNED_LABEL.test(folded(label)) || (line.length === 0 && isAboveName(box, level, size))) return undefined;
  const isInPlace =
    line.length === 0
      ? !isDrawn && isInBlock(box, level, size)
      : hasLabel && (VALUE_LABEL.test(folded(label)) || (isColumn && !isProse(label)));
  const isLetterhead = box.y < LETTERHEAD * page.height;
  const isNextLine = isFirst && !isLetterhead && (isInBlock(box, level, size) || isNextToBlock(box, level, size));
  return isInPlace || !isDrawn || hasLabel || isNextLine || isColumn
    ? { box, label, isDrawn, isInPlace, isInColumn: isColumn, isNextLine }
    : undefined;
}

/** Text that runs on, unlike the label of a value. */
function isProse(label: string): boolean {
  return label.split(' ').length > MAX_LABEL_WORDS || /\p{Ll}{2}[.,;-]$|…$/u.test(label) || /^[•▪–*#]/u.test(label);
}

function isBeside({ box: word, fontSize }: Word, box: Box): boolean {
  const shared = Math.min(word.y + word.height, box.y + box.height) - Math.max(word.y, box.y);
  return shared > 0.6 * Math.min(word.height, box.height) && box.height < HIGHEST * fontSize;
}

function fits({ width, height }: Box, size: number): boolean {
  return height >= 0.6 * size && height <= HIGHEST * size && width >= NARROWEST * size && width <= BROADEST * size;
}

function nearestSize(words: readonly Word[], box: Box): number | undefined {
  const near = words.filter((word) => Math.abs(word.box.x - box.x) < EDGE);
  return near.sort((a, b) => Math.abs(a.box.y - box.y) - Math.abs(b.box.y - box.y))[0]?.fontSize;
}

/** Whether at least two figures of its column end where it does, or at least two words close to it begin where it does. */
function isInColumn(box: Box, words: readonly Word[], size: number): boolean {
  const close = words.filter(
    (word) => Math.abs(word.fontSize - size) < 0.3 * size && Math.abs(word.box.y - box.y) < COLUMN_REACH * size,
  );
  const figures = close.filter(({ text }) => FIGURE.test(text)).slice(0, FIGURES_LOOKED_AT);
  const ending = close
    .filter((word) => Math.abs(word.box.x + word.box.width - box.x - box.width) < EDGE)
    .slice(0, ENDINGS_LOOKED_AT)
    .filter((word) => FIGURE.test(word.text) || figures.some((figure) => isUnitOf(word, figure)));
  const beginning = words.filter(
    (word) => Math.abs(word.box.x - box.x) < EDGE / 2 && Math.abs(word.box.y - box.y) < BLOCK_REACH * 2 * size,
  );
  return Math.max(ending.length, beginning.length) >= 2;
}

/** Whether it follows the figure as a currency does. */
function isUnitOf({ text, box }: Word, { box: figure, fontSize }: Word): boolean {
  const gap = box.x - figure.x - figure.width;
  return text.length <= 3 && Math.abs(box.y - figure.y) < 0.5 * fontSize && gap > -1 && gap < 0.7 * fontSize;
}

/** Whether lines of text directly above and below it begin where it does. */
function isInBlock(box: Box, words: readonly Word[], size: number): boolean {
  const near = words.filter(
    (word) =>
      Math.abs(word.box.x - box.x) < EDGE / 2 &&
      Math.abs(word.box.y - box.y) < BLOCK_REACH * size &&
      Math.abs(word.fontSize - size) < 0.2 * size,
  );
  return near.some((word) => word.box.y < box.y) && near.some((word) => word.box.y > box.y);
}

/** Whether the next line of text below it, which begins near its left half, is a person's name: letters have a signature or a stamp there. */
function isAboveName(box: Box, words: readonly Word[], size: number): boolean {
  const bottom = box.y + box.height;
  const below = words.filter(
    (word) =>
      word.box.y + word.box.height / 2 > bottom - EDGE &&
      word.box.y - bottom < SIGNATURE_REACH * size &&
      word.box.x < box.x + box.width,
  );
  const top = Math.min(...below.map((word) => word.box.y));
  const line = below.filter((word) => word.box.y < top + size / 2).sort((a, b) => a.box.x - b.box.x);
  const text = line.map((word) => word.text).join(' ');
  return line.some((word) => word.box.x + word.box.width > box.x) && isTypedName(text);
}

/** As below a signature, perhaps in brackets, with a title or a function after a comma. */
function isTypedName(text: string): boolean {
  const end = text.split('').findLastIndex((character) => !/[)_.\s]/.test(character)) + 1;
  const [name = ''] = text
    .slice(0, end)
    .replace(/^[(_.\s]+/, '')
    .split(',');
  return /^(?:i\. ?[AV]\.|ppa\.?|p\.p\.)/.test(name) || (/\p{L}{2}.*[\p{L}.]{2}/u.test(name) && isLikeName(name));
}

/** Whether two lines of text on one side of it begin where it does, at the same distance. */
function isNextToBlock(box: Box, words: readonly Word[], size: number): boolean {
  const middle = ({ y, height }: Box) => y + height / 2;
  const away = words
    .filter((word) => Math.abs(word.box.x - box.x) < EDGE / 2 && Math.abs(word.fontSize - size) < 0.2 * size)
    .map((word) => middle(word.box) - middle(box));
  return [1, -1].some((side) => {
    const [one, two] = away
      .map((distance) => distance * side)
      .filter((distance) => distance > 0)
      .sort((a, b) => a - b);
    return one !== undefined && one < BLOCK_REACH * size && Math.abs((two ?? 0) - 2 * one) < SPACING * size;
  });
}

function distinct(patches: readonly Patch[]): Patch[] {
  return patches.filter(
    ({ box }, index) => !patches.slice(0, index).some((other) => area(common(other.box, box)) > 0.5 * area(box)),
  );
}
