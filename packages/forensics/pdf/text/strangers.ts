import { union } from '../paint/matrix.ts';
import { areOneFamily } from './fonts.ts';
import type { TextLine } from './lines.ts';
import type { Outlier } from './outliers.ts';
import type { TextPage } from './read-pages.ts';
import type { Word } from './words.ts';

/** Documents with fewer words may use any fonts. */
const WRITTEN = 40;
const FEW_WORDS = 10;
/** A file with more strangers was made that way. */
const STRANGERS = 2;
const SAME_SIZE = 0.4;
const LINE_DISTANCE = 2.2;
/** Values worth overwriting: figures, or one to four capitalised words. Not e-mail and web addresses, which often have their own font. */
const VALUE = /^[^@/\\()]{0,40}\d[^@\\()]{0,40}$/;
const NAME = /^[\p{Lu}?\ufffd][\p{L}\p{M}.'’?\ufffd-]{1,30}(?: [\p{Lu}?\ufffd][\p{L}\p{M}.'’?\ufffd-]{0,30}){0,3}$/u;
/** Signature services write the signer's name in such a font, after everything else. */
const HANDWRITING = /script|hand|signa|cursive|brush|calli|vibes|caveat|pacifico|satisfy|zapfino|segoeprint/i;
/** Below this share of the page's height is the footer, which templates paint first. */
const FOOTER = 0.9;
const FOLLOWING = 3;

interface Place {
  word: Word;
  line: TextLine;
  page: TextPage;
}

/**
 * Figures and names in a line or block whose font occurs nowhere else in the file, differs from the surrounding text, and is
 * painted after everything else on the page although more text follows below. Generators paint lines in order; a forger who
 * writes over a finished page paints last.
 */
export function strangers(pages: readonly TextPage[]): { page: number; outlier: Outlier }[] {
  const places = pages.flatMap((page) =>
    page.lines.flatMap((line) => line.items.map((word) => ({ word, line, page }))),
  );
  if (places.length < WRITTEN) return [];
  const lone = [...Map.groupBy(places, ({ word }) => word.fontId).values()].filter(isOnOneLine);
  const found = lone.flatMap((own) => strangerOf(own) ?? []);
  return found.length > STRANGERS ? [] : found;
}

function isOnOneLine(places: readonly Place[]): boolean {
  return places.length <= FEW_WORDS && places.every(({ line }) => line === places[0]?.line);
}

function strangerOf(places: readonly Place[]): { page: number; outlier: Outlier } | undefined {
  const [first] = places;
  if (first === undefined || !isLast(places, first.page) || HANDWRITING.test(first.word.font)) return undefined;
  const words = places.map(({ word }) => word);
  const own = new Set(words);
  const text = words.map((word) => word.text).join(' ');
  const beside = neighbours(first, own);
  const usual = beside[0];
  if (usual === undefined || !(VALUE.test(text) || NAME.test(text)) || !isOutOfOrder(places, own)) return undefined;
  const isOtherFamily = beside.every((other) => !areOneFamily(other, first.word));
  const isCopy = beside.every(({ font }) => font === first.word.font);
  if (!isOtherFamily && !isCopy) return undefined;
  const word = { ...first.word, text, box: words.map(({ box }) => box).reduce(union) };
  const differences = [isCopy ? 'copy of the font' : 'font', 'painted last'];
  return { page: first.page.number, outlier: { word, differences, font: word.font, usualFont: usual.font } };
}

function isLast(places: readonly Place[], { items }: TextPage): boolean {
  const own = new Set(places.map(({ word }) => word));
  const earliest = Math.min(...places.map(({ word }) => word.order));
  return places.every(({ word }) => word.angle === 0) && items.every((word) => own.has(word) || word.order < earliest);
}

/** Whether words follow on its line, or enough of them below, not counting a footer. */
function isOutOfOrder(places: readonly Place[], own: ReadonlySet<Word>): boolean {
  const [first] = places;
  if (first === undefined) return false;
  const { page, line, word } = first;
  const right = Math.max(...places.map(({ word: { box } }) => box.x + box.width));
  if (line.items.some((other) => !own.has(other) && other.box.x >= right)) return true;
  const isBelow = ({ start }: Word) =>
    start.y > word.start.y + 0.5 * word.fontSize && start.y < FOOTER * page.height && start.y > 0;
  return page.items.filter(isBelow).length >= FOLLOWING;
}

/** The words of about its size on its line; if there are none, those that begin lines above and below at the same place. */
function neighbours({ word, line, page }: Place, own: ReadonlySet<Word>): Word[] {
  const { fontSize, start } = word;
  const isAsLarge = (other: Word) => Math.abs(other.fontSize - fontSize) <= SAME_SIZE * fontSize;
  const beside = line.items.filter((other) => !own.has(other) && isAsLarge(other));
  if (beside.length > 0) return beside;
  return page.lines.flatMap(({ items: [first] }) => {
    if (first === undefined) return [];
    const distance = Math.abs(first.start.y - start.y);
    const isNear = distance > 0.5 * fontSize && distance < LINE_DISTANCE * fontSize;
    return isNear && isAsLarge(first) && Math.abs(first.start.x - start.x) < 1 ? [first] : [];
  });
}
