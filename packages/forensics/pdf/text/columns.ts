import type { Run } from '../paint/marks.ts';
import type { TextLine } from './lines.ts';
import type { TextPage } from './read-pages.ts';
import type { Word } from './words.ts';

/** An amount in a column, with the rest of its line. */
export interface Cell {
  word: Word;
  /** The other words of its line, from left to right. */
  row: Word[];
  /** In points from the left: the end of its last digit; in a column whose amounts are aligned on the left, its start. */
  edge: number;
}

/** In points: edges closer together belong to one column. */
const SAME_COLUMN = 3;
const FEWEST = 6;
const AMOUNT =
  /^[-+\u2212(]?(?:[A-Z]{3}|[€$£¥])?\d{1,3}(?:[.,'’]?\d{3}){0,4}[.,]\d{2}[-+\u2212)]?(?:[A-Z]{1,3}|[€$£])?$/;

/** The columns of at least six amounts whose ends, or else beginnings, are aligned; each from top to bottom. */
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
