import type { Box, Document, TextItem } from '../model.ts';
import { unturned } from '../ocr/turn.ts';
import { areOtherNames, isName } from '../pdf/diff/values.ts';
import type { PaintedPage } from '../pdf/paint/marks.ts';
import { area, common } from '../pdf/paint/matrix.ts';
import { readPaint } from '../pdf/paint/read-paint.ts';
import { linesOf } from '../pdf/text/lines.ts';
import { byPlace, isOpaque, leftOf, whyInvisible } from '../pdf/text/seen.ts';
import { type Word, wordsOf } from '../pdf/text/words.ts';
import { around, withRoom, wordLines } from './words.ts';

/** A text that a picture shows, and the one that programs read in its place. */
export interface LayerLie {
  page: number;
  box: Box;
  read: string;
  shown: string;
}

/** A layer of fewer words is a stamp or a mark for an archive. */
const MIN_WORDS = 15;
/** Shorter words are read wrongly too often to compare. */
const MIN_LETTERS = 4;
/** At least this share of the words must be what OCR reads in their places: the layer belongs to the picture. */
const ALIKE = 0.6;
/** OCR confidence of a name's words, from 0 to 100. */
const SURE = 60;
const MAX_REREAD = 8;

/** Names on scanned pages that their layer of text reads differently. @throws Unreadable */
export async function layerLies(document: Document): Promise<{ lies: LayerLie[]; compared: number }> {
  const painted = await readPaint(document.bytes);
  const layers = painted
    .map((page) => ({ page, words: layerOf(page) }))
    .filter(({ words }) => words.length >= MIN_WORDS);
  if (layers.length === 0) return { lies: [], compared: 0 };
  const read = await document.pagesRead();
  const lies: LayerLie[] = [];
  let compared = 0;
  for (const { page, words } of layers) {
    const picture = read.find(({ number }) => number === page.number);
    if (picture === undefined) continue;
    const items = picture.items.map((item) => ({ ...item, box: unturned(item.box, picture) }));
    if (!belongs(words, items)) continue;
    compared += words.length;
    const other = cellsOf(page, words).flatMap((cell) => otherwise(cell, items, page.number) ?? []);
    for (const lie of other.slice(0, MAX_REREAD)) {
      const again = (await document.textIn?.(lie.page, withRoom(lie.box, words, page.width)).catch(() => '')) ?? '';
      if (isOther(lie.read, again) && !isOther(lie.shown, again)) lies.push({ ...lie, shown: again });
    }
  }
  return { lies, compared };
}

/** The text of a page that is not painted, or lies under a picture. */
function layerOf({ marks }: PaintedPage): Word[] {
  const pictures = byPlace(marks.filter(isOpaque).filter(({ kind }) => kind === 'picture'));
  const runs = marks.filter((mark) => mark.kind === 'text').filter(({ layer }) => layer === '');
  return wordsOf(
    runs.filter((run) => whyInvisible(run) === 'no paint' || leftOf(run, pictures(run.whole)).length === 0),
  );
}

function belongs(words: readonly Word[], items: readonly TextItem[]): boolean {
  const long = words.filter(({ text }) => text.length >= MIN_LETTERS);
  const alike = long.filter((word) => {
    const text = itemsIn(word.box, items)
      .map((item) => item.text)
      .join('');
    return text.includes(word.text) || (text !== '' && !areOtherNames(word.text, text) && /\p{L}{3}/u.test(word.text));
  });
  return long.length >= MIN_WORDS && alike.length >= ALIKE * long.length;
}

interface Cell {
  text: string;
  box: Box;
}

/** What stands between wide gaps. */
function cellsOf({ number, width, height }: PaintedPage, words: readonly Word[]): Cell[] {
  const lines = linesOf(words);
  return wordLines([{ number, width, height, items: [...words], lines }]).flatMap((line) => {
    let start = 0;
    return line.text.split('\t').map((text) => {
      const own = line.words.filter((word) => word.start >= start && word.start < start + text.length);
      start += text.length + 1;
      return { text, box: around(own.map(({ box }) => box)) };
    });
  });
}

function otherwise({ text, box }: Cell, items: readonly TextItem[], page: number): LayerLie | undefined {
  const own = itemsIn(box, items);
  const shown = own.map((item) => item.text).join(' ');
  const isSure = own.length > 0 && own.every(({ confidence = 0 }) => confidence >= SURE);
  return isSure && isOther(text, shown) ? { page, box, read: text, shown } : undefined;
}

function isOther(read: string, shown: string): boolean {
  return isName(read) && isName(shown) && areOtherNames(read, shown);
}

/** The words that lie mostly in the box, from left to right. */
function itemsIn(box: Box, items: readonly TextItem[]): TextItem[] {
  return items
    .filter((item) => area(common(item.box, box)) > 0.5 * Math.min(area(item.box), area(box)))
    .sort((one, other) => one.box.x - other.box.x);
}
