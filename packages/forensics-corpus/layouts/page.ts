import { type Colour, fitted, type Pen, type TargetName, type TextStyle } from '../drawing.ts';

/** The content of one cell; with a target it is a value that a forger might want to change. */
export interface Cell {
  text: string;
  style?: TextStyle;
  target?: { name: TargetName; bound: boolean };
}

export interface Column {
  /** The position of the text's aligned end. */
  x: number;
  /** Longer text is truncated. */
  width: number;
  align: 'left' | 'right';
  title: string;
}

/** One row; extra lines go below it in the same column. */
export interface Row {
  cells: (Cell | undefined)[];
  further?: { column: number; text: string };
  shade?: Colour;
}

interface TablePlan {
  columns: Column[];
  style: TextStyle & { size: number };
  lineHeight: number;
  /** Where rows start on the first page and on later pages, and where they end. */
  tops: [number, number];
  bottom: number;
  head: Colour | undefined;
  /** Lines between rows. */
  ruled: boolean;
  /** Printed at the end of a page and at the start of the next: the row so far, such as a carried-forward balance. */
  carried?: (rowsSoFar: number) => [Row, Row];
  onSheet(pen: Pen, number: number): void;
}

/** Draws rows over as many sheets as they need. @returns the position below the last row */
export function drawTable(pen: Pen, rows: readonly Row[], plan: TablePlan): number {
  let y = openSheet(pen, plan, plan.tops[0]);
  rows.forEach((row, index) => {
    const needed = heightOf(row, plan) + (plan.carried ? plan.lineHeight : 0);
    if (y + needed > plan.bottom) {
      const [below, above] = plan.carried?.(index) ?? [];
      if (below) drawRow(pen, below, plan, y);
      y = openSheet(pen, plan, plan.tops[1]);
      if (above) y = drawRow(pen, above, plan, y);
    }
    y = drawRow(pen, row, plan, y);
  });
  return y;
}

function openSheet(pen: Pen, plan: TablePlan, top: number): number {
  pen.newSheet();
  plan.onSheet(pen, pen.sheets.length);
  const { style, columns, head, lineHeight } = plan;
  const bold = style.face === 'mono' ? 'mono-bold' : style.face === 'serif' ? 'serif-bold' : 'sans-bold';
  if (head) pen.rect(45, top - lineHeight + 3, 505, lineHeight + 1, head);
  for (const { x, align, title } of columns) pen.text(x, top, title, { ...style, face: bold, align });
  if (!head) pen.rule(45, top + 4, 505);
  return top + lineHeight + 4;
}

function drawRow(pen: Pen, row: Row, plan: TablePlan, y: number): number {
  const { columns, style, lineHeight, ruled } = plan;
  const height = heightOf(row, plan);
  if (row.shade) pen.rect(45, y - lineHeight + 3, 505, height, row.shade);
  row.cells.forEach((cell, index) => {
    const column = columns[index];
    if (!cell || !column) return;
    const own = { ...style, align: column.align, ...cell.style };
    const text = column.align === 'left' ? fitted(cell.text, own.face ?? 'sans', own.size, column.width) : cell.text;
    if (cell.target && text === cell.text) pen.target(cell.target.name, cell.target.bound, column.x, y, text, own);
    else pen.text(column.x, y, text, own);
  });
  const { further } = row;
  const under = further && columns[further.column];
  if (under)
    pen.text(under.x, y + lineHeight - 2, fitted(further.text, style.face ?? 'sans', style.size, under.width), style);
  if (ruled) pen.rule(45, y + height - lineHeight + 3, 505, [0.8, 0.8, 0.8]);
  return y + height;
}

function heightOf({ further }: Row, { lineHeight }: TablePlan): number {
  return further ? lineHeight * 2 - 2 : lineHeight;
}
