import type { Box, Line, TextItem } from '../model.ts';

/** The centres of words in one row differ by less than this share of their height. */
const SAME_ROW = 0.5;
const WORDS = 20_000;

/**
 * The words in Tesseract's tab-separated table, whose rows are pages, blocks, paragraphs, lines (4) and words (5).
 *
 * @param scale pixels of the table per unit of the page
 */
export function wordsIn(table: string, scale: number): TextItem[] {
  const items: TextItem[] = [];
  let lineHeight = 0;
  for (const row of table.split('\n')) {
    const [level, , , , , , x = 0, y = 0, width = 0, height = 0, confidence = 0] = row.split('\t').map(Number);
    if (level === 4) lineHeight = height / scale;
    const text = row.split('\t').slice(11).join(' ').trim();
    if (level !== 5 || text === '' || items.length >= WORDS) continue;
    const box: Box = { x: x / scale, y: y / scale, width: width / scale, height: height / scale };
    items.push({ text, box, font: '', fontId: '', fontSize: lineHeight, order: items.length, confidence });
  }
  return items;
}

/** Words side by side across all columns of a page; Tesseract's own lines end where a column does. */
export function rowsOf(items: readonly TextItem[]): Line[] {
  const rows: TextItem[][] = [];
  for (const item of [...items].sort((one, other) => middle(one) - middle(other))) {
    const row = rows.at(-1);
    const first = row?.[0];
    const height = Math.min(first?.fontSize ?? 0, item.fontSize);
    if (row !== undefined && first !== undefined && middle(item) - middle(first) < SAME_ROW * height) row.push(item);
    else rows.push([item]);
  }
  return rows.map(lineOf);
}

function lineOf(row: TextItem[]): Line {
  const items = row.sort((one, other) => one.box.x - other.box.x);
  const left = Math.min(...items.map(({ box }) => box.x));
  const top = Math.min(...items.map(({ box }) => box.y));
  const right = Math.max(...items.map(({ box }) => box.x + box.width));
  const bottom = Math.max(...items.map(({ box }) => box.y + box.height));
  const box = { x: left, y: top, width: right - left, height: bottom - top };
  return { text: items.map(({ text }) => text).join(' '), box, items };
}

function middle({ box }: TextItem): number {
  return box.y + box.height / 2;
}
