import type { Run } from '../paint/marks.ts';
import type { TextLine } from './lines.ts';
import type { TextPage } from './read-pages.ts';
import type { Word } from './words.ts';

/** An amount of a column, with what else stands on its line. */
export interface Cell {
  word: Word;
  /** The other words of its line, from left to right. */
  row: Word[];
  /** In points from the left: where its last digit ends, in a column of amounts that begin in one place where it begins. */
  edge: number;
}

/** In points: edges that are closer together are of one column. */
const SAME_COLUMN = 3;
const FEWEST = 6;
const AMOUNT =
  /^[-+\u2212(]?(?:[A-Z]{3}|[€$£¥])?\d{1,3}(?:[.,'’]?\d{3}){0,4}[.,]\d{2}[-+\u2212)]?(?:[A-Z]{1,3}|[€$£])?$/;

/** The columns of amounts that end, or else begin, in about the same place, of at least six, from top to bottom. */
export function amountColumns({ lines }: TextPage): Cell[][] {
  const cells = lines.flatMap(cellsOf);
  const ending = columnsOf(cells);
  const taken = new Set(ending.flatMap((column) => column.map(({ word }) => word)));
  const others = cells.filter(({ word }) => !taken.has(word)).map((cell) => ({ ...cell, edge: cell.word.start.x }));
  return [...ending, ...columnsOf(others)];
}

function columnsOf(cells: readonly Cell[]): Cell[][] {
  const columns: Cell[][] = [];
  let last = -Infinity;
  for (const cell of [...cells].sort((a, b) => a.edge - b.edge)) {
    if (cell.edge - last > SAME_COLUMN) columns.push([]);
    columns.at(-1)?.push(cell);
    last = cell.edge;
  }
  return columns
    .filter((column) => column.length >= FEWEST)
    .map((column) => column.sort((a, b) => a.word.start.y - b.word.start.y));
}

function cellsOf({ items: words }: TextLine): Cell[] {
  return words
    .filter(({ text, angle }) => angle === 0 && text.length < 30 && AMOUNT.test(text))
    .map((word) => ({ word, row: words.filter((other) => other !== word), edge: lastDigit(word) }));
}

function lastDigit({ runs, box }: Word): number {
  const run = runs.findLast(({ text }) => /\d/.test(text));
  return run === undefined ? box.x + box.width : run.start.x + (run.advances[digitIn(run)] ?? 0);
}

function digitIn({ text }: Run): number {
  return text.search(/\d\D*$/);
}
