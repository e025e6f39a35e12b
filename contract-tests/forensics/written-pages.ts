import type { Document, Kind, Line, Page, TextItem } from '../../forensics/model.ts';

/** A piece of text by its left edge, or by its right one. */
export interface Cell {
  text: string;
  left?: number;
  right?: number;
}

export type Written = readonly Cell[];

const SIZE = 9;
const LEADING = 14;

/** Pages as a reader of digital text hands them over, one list of rows a page. */
export function writtenPages(...pages: readonly (readonly Written[])[]): Page[] {
  return pages.map((rows, index) => {
    const lines = rows.map((cells, row) => lineOf(cells, 40 + row * LEADING)).filter(({ items }) => items.length > 0);
    return { number: index + 1, width: 595, height: 842, items: lines.flatMap(({ items }) => items), lines };
  });
}

/** Each text at the left margin of its own row. */
export function writtenText(...texts: readonly string[]): Page[] {
  return writtenPages(texts.map((text) => [{ text, left: 40 }]));
}

/** A document of which only what is written is known. */
export function documentOf(pages: Page[], read: { kind?: Kind; isRead?: boolean } = {}): Document {
  const { kind = 'pdf', isRead = false } = read;
  return {
    name: 'document',
    kind,
    bytes: new Uint8Array(),
    pages: async () => (isRead ? [] : pages),
    pagesRead: async () => (isRead ? pages : []),
    pixels: async () => ({ width: 1, height: 1, data: new Uint8Array(3) }),
  };
}

function lineOf(cells: Written, y: number): Line {
  const items = cells.map((cell, order) => itemOf(cell, y, order)).sort((one, other) => one.box.x - other.box.x);
  const right = Math.max(...items.map(({ box }) => box.x + box.width));
  const left = items[0]?.box.x ?? 0;
  return {
    text: items.map(({ text }) => text).join(' '),
    box: { x: left, y, width: right - left, height: SIZE },
    items,
  };
}

function itemOf({ text, left, right }: Cell, y: number, order: number): TextItem {
  const width = [...text].reduce((total, character) => total + (/[.,: ']/.test(character) ? 0.28 : 0.556) * SIZE, 0);
  const x = left ?? (right ?? 0) - width;
  return { text, box: { x, y, width, height: SIZE }, font: 'Helvetica', fontId: 'F1', fontSize: SIZE, order };
}
