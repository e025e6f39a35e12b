import type { Box } from '../../model.ts';
import type { TextLine } from './lines.ts';
import type { TextPage } from './read-pages.ts';
import type { Word } from './words.ts';

/** In points: edges of one column are closer together. */
const SAME_EDGE = 1.5;
/** At least this many similar rows must have the value that one row lacks. */
const FULL_ROWS = 6;
/** Every row is compared with every other. A table for people has no more lines. */
const MAX_LINES = 400;
const MAX_COLUMNS = 12;
const MAX_FIGURES = 3000;
const FIGURE = /^[-+(\u2212]?[€$£]?\d[\d.,'’]*[.,]\d{2}\)?-?$/;
const DAY = /^\d{1,4}[./-]\d{1,2}(?:[./-](?:\d{2,4})?)?$/;

/** A figure outside every column of at least six: the row has another layout. */
const OTHER_FIGURE = 'other figure';

/** A table row without the value that all similar rows have. */
export interface Gap {
  box: Box;
  /** The text of the row. */
  row: string;
}

interface Row {
  line: TextLine;
  words: Word[];
  /** The kinds and positions of its dates, its figures and its first word. */
  cells: Set<string>;
  /** Its dates: if a balance is printed once a day, rows of one day differ. */
  days: string;
}

/** Among rows with the same layout, such as a date and a purpose, the only row that lacks what at least six others have. */
export function gapsOn({ lines }: TextPage): Gap[] {
  if (lines.length > MAX_LINES) return [];
  const rows = rowsOf(lines);
  const columns = [...new Set(rows.flatMap(({ cells }) => [...cells]))].filter((cell) => cell.startsWith('figure'));
  return columns.slice(0, MAX_COLUMNS).flatMap((column) => {
    const full = rows.filter(({ cells }) => cells.has(column));
    if (full.length < FULL_ROWS) return [];
    const lacking = rows.filter((row) => isLike(row, full, column));
    const [only] = lacking;
    if (only === undefined || lacking.length > 1 || !isInEveryRow(likeIn(full, only), rows)) return [];
    return [gapOf(only, full, column)];
  });
}

/** The number of dated rows with a figure in a column of at least six. */
export function completeRows({ lines }: TextPage): number {
  if (lines.length > MAX_LINES) return 0;
  return rowsOf(lines).filter(({ cells, days }) => days !== '' && [...cells].some((cell) => cell.startsWith('figure')))
    .length;
}

function rowsOf(lines: readonly TextLine[]): Row[] {
  const level = lines.filter(({ items }) => items.every(({ angle }) => angle === 0));
  const edges = edgesOf(level.flatMap(({ items }) => items));
  return level.map((line) => ({
    line,
    words: line.items,
    cells: new Set(line.items.flatMap((word, index) => cellOf(word, index, edges) ?? [])),
    days: line.items
      .filter(({ text }) => DAY.test(text))
      .map(({ text }) => text)
      .join(' '),
  }));
}

function cellOf(word: Word, index: number, edges: readonly number[]): string | undefined {
  if (DAY.test(word.text)) return `day ${Math.round(word.box.x)} ${word.fontId}`;
  if (FIGURE.test(word.text)) {
    const right = word.box.x + word.box.width;
    const edge = edges.find((one) => Math.abs(one - right) <= SAME_EDGE);
    return edge === undefined ? OTHER_FIGURE : `figure ${edge.toFixed(1)}`;
  }
  return index === 0 ? `text ${Math.round(word.box.x)} ${word.fontId} ${word.fontSize.toFixed(1)}` : undefined;
}

/** The right edges shared by at least six figures. */
function edgesOf(words: readonly Word[]): number[] {
  const ends = words
    .filter(({ text }) => FIGURE.test(text))
    .slice(0, MAX_FIGURES)
    .map(({ box }) => box.x + box.width)
    .sort((a, b) => a - b);
  const edges: number[] = [];
  for (const end of ends) {
    const last = edges.at(-1);
    const around = ends.filter((one) => Math.abs(one - end) <= SAME_EDGE).length;
    if (around >= FULL_ROWS && (last === undefined || end - last > 2 * SAME_EDGE)) edges.push(end);
  }
  return edges;
}

/**
 * Whether a row lacks the column, but stands among at least six rows that have the column and all of its own cells. It must have at least
 * two cells, one of them a date: other tables, such as payslips, have rows that need fewer figures than the rows around them.
 */
function isLike(row: Row, full: readonly Row[], column: string): boolean {
  if (
    row.cells.has(column) ||
    row.cells.has(OTHER_FIGURE) ||
    row.cells.size < 2 ||
    row.days === '' ||
    !row.words.some(({ text }) => /\p{L}{2}/u.test(text))
  )
    return false;
  const like = likeIn(full, row);
  if (like.length < FULL_ROWS) return false;
  const [top, bottom] = [like[0], like.at(-1)];
  return (
    top !== undefined && bottom !== undefined && row.line.box.y > top.line.box.y && row.line.box.y < bottom.line.box.y
  );
}

function likeIn(rows: readonly Row[], { cells: own }: Row): Row[] {
  return rows.filter(({ cells }) => [...own].every((cell) => cells.has(cell)));
}

/** Whether consecutive rows of one day have the column: some statements print a balance only in the last row of a day. */
function isInEveryRow(like: readonly Row[], rows: readonly Row[]): boolean {
  return like.some((row, index) => {
    const next = like[index + 1];
    if (next === undefined || rows.slice(rows.indexOf(row) + 1, rows.indexOf(next)).some(hasFigure)) return false;
    return next.days === '' || next.days === row.days;
  });
}

function hasFigure({ cells }: Row): boolean {
  return [...cells].some((cell) => cell.startsWith('figure') || cell === OTHER_FIGURE);
}

function gapOf({ line }: Row, full: readonly Row[], column: string): Gap {
  const edge = Number(column.split(' ')[1]);
  const figures = full.flatMap(({ words }) =>
    words.filter(({ box }) => Math.abs(box.x + box.width - edge) <= SAME_EDGE),
  );
  const width = Math.max(...figures.map(({ box }) => box.width));
  return { box: { x: edge - width, y: line.box.y, width, height: line.box.height }, row: line.text };
}
