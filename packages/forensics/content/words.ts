import { cached } from '../cached.ts';
import type { Box, Page, TextItem } from '../model.ts';

/** A line of a page as one string whose characters have positions. */
export interface WordLine {
  page: number;
  /** Words separated by a space if they are close, by a tab if there is a gap. */
  text: string;
  words: Word[];
  box: Box;
  /** In points. */
  fontSize: number;
}

export interface Word {
  text: string;
  box: Box;
  /** Its offset in the text of the line. */
  start: number;
  /** From 0 to 100, of text read from a picture. */
  confidence?: number;
}

/** A gap wider than this part of the font size separates words; parts of one word may be drawn separately. */
const WORD_GAP = 0.14;
/** Wider than this part of the font size, a gap is more than a space. */
const COLUMN_GAP = 1;
const PAGES = 100;
const LINES_A_PAGE = 300;
const LINES = 6000;
const LARGE = 2.5;
const CHARACTERS_A_LINE = 1000;
const MONOSPACED = /mono|courier|consol|typewriter|lettergothic|fixed|ocr-?[ab]/i;
const SPACES = /[\s\u00a0\u2000-\u200b\u202f\u205f\u3000\ufeff]+/u;

/**
 * The lines of pages, from top to bottom. Bounded: anything beyond 100 pages, 300 lines a page, 6,000 lines or
 * 1,000 characters a line is left out.
 */
export function wordLines(pages: readonly Page[]): readonly WordLine[] {
  const [first] = pages;
  return first !== undefined && pages.length === 1 ? linesOf(first) : linesOfAll(pages);
}

// Cached, because every rule about content needs them.
const linesOfAll = cached((pages: readonly Page[]) => pages.slice(0, PAGES).flatMap(linesOf).slice(0, LINES));
const linesOf = cached(readLines);

function readLines({ number, lines }: Page): readonly WordLine[] {
  const worded = lines.slice(0, LINES_A_PAGE).flatMap((line) => {
    const words = wordsOf(withoutWatermark(line.items));
    return words.length === 0 ? [] : [joined(number, words)];
  });
  return worded.sort((one, other) => bottom(one) - bottom(other) || one.box.x - other.box.x);
}

/** The box of the characters from `start` to before `end` of a line. */
export function boxWithin(line: WordLine, start: number, end: number): Box {
  const parts = line.words.flatMap((word) => {
    const from = Math.max(start - word.start, 0);
    const to = Math.min(end - word.start, word.text.length);
    return from < to ? [partOf(edgesOf(word.text, false), word.box, from, to)] : [];
  });
  return parts.length === 0 ? line.box : around(parts);
}

/** The lowest confidence of the words from `start` to before `end`; undefined for digital text. */
export function confidenceWithin(line: WordLine, start: number, end: number): number | undefined {
  const values = line.words
    .filter((word) => word.start < end && word.start + word.text.length > start)
    .flatMap(({ confidence }) => (confidence === undefined ? [] : [confidence]));
  return values.length === 0 ? undefined : Math.min(...values);
}

export function around(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** How much wider than the text that programs read the one may be that is shown. */
const WIDER = 3;

/** A box with the room to its right, up to the next text of its line: what is shown there may be longer than what programs read. */
export function withRoom(box: Box, others: readonly Pick<TextItem, 'box' | 'text'>[], width: number): Box {
  const right = box.x + box.width;
  const next = others.filter(
    (other) =>
      /[\p{L}\p{N}]/u.test(other.text) &&
      other.box.x > right &&
      other.box.y < box.y + box.height &&
      other.box.y + other.box.height > box.y,
  );
  const free = Math.min(width, ...next.map((other) => other.box.x - box.height / 2));
  return { ...box, width: Math.max(box.width, Math.min(WIDER * box.width, free - box.x)) };
}

interface Piece {
  text: string;
  box: Box;
  fontSize: number;
  confidence?: number;
}

/** Words much larger than the rest of their line are painted across the page, and belong to no row. */
function withoutWatermark(items: readonly TextItem[]): readonly TextItem[] {
  const sizes = items.map(({ fontSize }) => fontSize).sort((one, other) => one - other);
  const usual = sizes[Math.floor(sizes.length / 2)] ?? 0;
  return items.length < 3 ? items : items.filter(({ fontSize }) => fontSize <= LARGE * usual);
}

function bottom({ box }: WordLine): number {
  return box.y + box.height;
}

function wordsOf(items: readonly TextItem[]): Piece[] {
  const words: Piece[] = [];
  let characters = 0;
  for (const item of items) {
    let first = !/^\s/u.test(item.text);
    for (const piece of piecesOf(item)) {
      characters += piece.text.length;
      if (characters > CHARACTERS_A_LINE) return words;
      const last = words.at(-1);
      if (first && last !== undefined && touches(last, piece)) words[words.length - 1] = merged(last, piece);
      else words.push(piece);
      first = false;
    }
  }
  return words;
}

/** An item split at its spaces; the positions of the parts are estimated from usual character widths. */
function piecesOf(item: TextItem): Piece[] {
  const pieces: Piece[] = [];
  const text = item.text.slice(0, CHARACTERS_A_LINE);
  const edges = edgesOf(text, MONOSPACED.test(item.font));
  let at = 0;
  for (const part of text.split(SPACES)) {
    if (part === '') continue;
    const start = text.indexOf(part, at);
    at = start + part.length;
    pieces.push({
      text: plain(part),
      box: partOf(edges, item.box, start, at),
      fontSize: item.fontSize,
      ...(item.confidence === undefined ? {} : { confidence: item.confidence }),
    });
  }
  return pieces;
}

function touches(left: Piece, right: Piece): boolean {
  const gap = right.box.x - (left.box.x + left.box.width);
  const size = Math.max(left.fontSize, right.fontSize, 1);
  return gap < WORD_GAP * size && gap > -0.5 * size;
}

function merged(left: Piece, right: Piece): Piece {
  const confidence = Math.min(left.confidence ?? 100, right.confidence ?? 100);
  return {
    text: left.text + right.text,
    box: around([left.box, right.box]),
    fontSize: Math.max(left.fontSize, right.fontSize),
    ...(left.confidence === undefined && right.confidence === undefined ? {} : { confidence }),
  };
}

function joined(page: number, pieces: Piece[]): WordLine {
  const words: Word[] = [];
  let text = '';
  let last: Piece | undefined;
  for (const piece of pieces) {
    if (last !== undefined) text += isColumnGap(last, piece) ? '\t' : ' ';
    const { fontSize: _, ...word } = piece;
    words.push({ ...word, start: text.length });
    text += piece.text;
    last = piece;
  }
  return {
    page,
    text,
    words,
    box: around(pieces.map(({ box }) => box)),
    fontSize: Math.max(...pieces.map(({ fontSize }) => fontSize)),
  };
}

function isColumnGap(left: Piece, right: Piece): boolean {
  const gap = right.box.x - (left.box.x + left.box.width);
  return gap > COLUMN_GAP * Math.max(left.fontSize, right.fontSize, 1);
}

/** Normalizes dashes and apostrophes to one character each, so that offsets stay the same. */
function plain(text: string): string {
  if (/^[!-~]*$/.test(text)) return text;
  return text.replace(/[\u2010-\u2015\u2212\ufe63\uff0d]/gu, '-').replace(/[\u2018\u2019\u02bc\u00b4]/gu, "'");
}

/** Where each character begins and the last one ends, as fractions of the total width. */
function edgesOf(text: string, even: boolean): number[] {
  const edges = [0];
  let all = 0;
  for (const character of text.split('')) {
    all += even ? 1 : usualWidth(character);
    edges.push(all);
  }
  return edges.map((edge) => edge / (all || 1));
}

function partOf(edges: readonly number[], box: Box, start: number, end: number): Box {
  const from = edges[start] ?? 0;
  const to = edges[end] ?? 1;
  return { x: box.x + box.width * from, y: box.y, width: box.width * (to - from), height: box.height };
}

const widths = new Map<string, number>();

/** In digit widths, as in common sans-serif fonts. */
function usualWidth(character: string): number {
  const width = widths.get(character) ?? widthOf(character);
  widths.set(character, width);
  return width;
}

function widthOf(character: string): number {
  if (/[\s.,:;'|!ijlI]/u.test(character)) return 0.5;
  if (/[-()/ftr]/u.test(character)) return 0.6;
  if (/[mwMW@%]/u.test(character)) return 1.6;
  return /\p{Lu}/u.test(character) ? 1.25 : 1;
}
