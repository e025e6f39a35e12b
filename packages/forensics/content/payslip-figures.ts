import { cached } from '../cached.ts';
import type { Box } from '../model.ts';
import { type Amount, withoutCurrency } from './amounts.ts';
import { DEDUCTIONS, folded, GROSS, NET, OTHER_PAY, PAID } from './labels.ts';
import { boxWithin, type WordLine } from './words.ts';
import { isOfYear, YEAR_TO_DATE } from './year-column.ts';

export type FigureKind = 'gross' | 'deductions' | 'net' | 'paid';

/** An amount that a label of a payslip may name. */
export interface Figure {
  kind: FigureKind;
  amount: Amount;
  /** Whether a further amount stands between it and its label, such as the employee's share before the employer's. */
  isFurther: boolean;
  /** Whether it stands where figures since the beginning of the year do: then it is rather one of these. */
  isOfYear: boolean;
}

interface Cell {
  text: string;
  start: number;
  end: number;
  box: Box;
}

const KINDS: readonly (readonly [FigureKind, RegExp])[] = [
  ['gross', GROSS],
  ['deductions', DEDUCTIONS],
  ['net', NET],
  ['paid', PAID],
];
/** A label and the figure below it are this many lines apart at most. */
const LINES_BELOW = 3;
/** In font sizes. */
const MAX_DISTANCE_BELOW = 3.2;
/** In font sizes: edges of a label and its figure that are aligned. */
const ALIGNED = 1.2;
const MAX_FIGURES = 40;
/** Two months with a raise or a bonus. */
const MIN_MONTHS = 1.5;
/** Rows below a heading for the year. */
const ROWS_OF_YEAR = 5;
const MAX_TOTALS = 3;

/** What each label of pay may name: amounts to its right up to the next label, or else the nearest one below it. */
export function figuresOf(lines: readonly WordLine[], amounts: readonly Amount[]): Figure[] {
  const byLine = Map.groupBy(amounts, ({ line }) => line);
  const found = lines.flatMap((line, index) =>
    cellsOf(line).flatMap((cell, at, cells): Figure[] => {
      const kind = kindOf(cell.text);
      if (kind === undefined) return [];
      const next = cells.slice(at + 1).find(({ text }) => isLabel(text))?.start ?? Number.POSITIVE_INFINITY;
      const own = (byLine.get(line) ?? []).filter(({ start }) => start >= cell.start && start < next);
      const below =
        own.length > 0 ? [] : belowOf(cell, cells, lines.slice(index + 1, index + 1 + LINES_BELOW), byLine, line);
      return [...own, ...below].map((amount, place) => ({
        kind,
        amount,
        isFurther: place > 0,
        isOfYear: isYears(lines, amount),
      }));
    }),
  );
  const real = found.filter(({ kind, amount }) => amount.cents !== 0 && !(kind === 'paid' && amount.cents < 0));
  const isNamed = (['gross', 'deductions'] as const).some((total) => real.some(({ kind }) => kind === total));
  return withLargerRows([...real, ...(isNamed ? [] : inTotalRows(lines, byLine))].slice(0, MAX_FIGURES));
}

/** A row of several totals that all stand elsewhere, too, and smaller, is that of the year. */
function withLargerRows(figures: readonly Figure[]): Figure[] {
  const totals = figures.filter(({ kind, isOfYear }) => kind !== 'paid' && !isOfYear);
  const rows = [...Map.groupBy(totals, ({ amount }) => amount.line).values()].filter(
    (row) => new Set(row.map(({ kind }) => kind)).size > 1,
  );
  const larger = rows.filter((row) =>
    row.every(({ kind, amount }) =>
      totals.some(
        (one) =>
          one.kind === kind && one.amount.line !== amount.line && MIN_MONTHS * sizeOf(one) < Math.abs(amount.cents),
      ),
    ),
  );
  const ofYear = new Set(larger.flat());
  return figures.map((figure) => (ofYear.has(figure) ? { ...figure, isOfYear: true } : figure));
}

function sizeOf({ amount }: Figure): number {
  return Math.abs(amount.cents);
}

/** Totals in one row without names of their own: pay and deductions, then perhaps the employer's share. */
function inTotalRows(lines: readonly WordLine[], byLine: Map<WordLine, Amount[]>): Figure[] {
  return lines.flatMap((line) => {
    const row = byLine.get(line) ?? [];
    if (
      row.length < 2 ||
      row.length > MAX_TOTALS ||
      !/^(?:sub)?tota(?:l|ls|les|li|le|ux|is)\b|^(?:summen?|sumas?)\b/.test(folded(line.text))
    )
      return [];
    const [gross, deductions] = row.slice(0, 2).toSorted((one, other) => other.cents - one.cents);
    return [['gross', gross] as const, ['deductions', deductions] as const].flatMap(([kind, amount]) =>
      amount === undefined || kindOf(labelOf(amount)) !== undefined
        ? []
        : [{ kind, amount, isFurther: true, isOfYear: isYears(lines, amount) }],
    );
  });
}

/** What the label of an amount says: the text of its row before it. */
export const labelOf = cached(({ line, start }: Amount) => folded(line.text.slice(0, start)));

function kindOf(text: string): FigureKind | undefined {
  if (!/[a-z]{2}/.test(text) || OTHER_PAY.test(text)) return undefined;
  return KINDS.find(([, label]) => label.test(text))?.[0];
}

function isLabel(text: string): boolean {
  return /[a-z]{4}|\bnet\b/.test(text);
}

const cellsOf = cached((line: WordLine): Cell[] => {
  let start = 0;
  return line.text.split('\t').flatMap((text) => {
    const parts = partsOf(folded(text)).map(([from, to]): Cell => {
      const box = boxWithin(line, start + from, start + to);
      return { text: folded(text.slice(from, to)), start: start + from, end: start + to, box };
    });
    start += text.length + 1;
    return parts;
  });
});

/** From where to where each label of a cell goes: those of neighbouring columns may be a space apart. */
function partsOf(text: string): [from: number, to: number][] {
  const starts = KINDS.flatMap(([, label]) => label.exec(text)?.index ?? []).sort((one, other) => one - other);
  const isShort = starts.length > 1 && !/\d/.test(text);
  const from = isShort ? [0, ...starts.slice(1)] : [0];
  return from.map((at, index) => [at, from[index + 1] ?? text.length]);
}

/** The amounts of the next line with any that are nearer to this cell than to any other of its line. */
function belowOf(
  cell: Cell,
  cells: readonly Cell[],
  under: readonly WordLine[],
  amounts: Map<WordLine, Amount[]>,
  line: WordLine,
): Amount[] {
  for (const next of under) {
    if (next.page !== line.page || next.box.y - line.box.y > MAX_DISTANCE_BELOW * line.fontSize) return [];
    const found = amounts.get(next) ?? [];
    if (found.length === 0) continue;
    const isBare = !/\p{L}{3}/u.test(withoutCurrency(next.text));
    const isAlone = isBare && cells.length === 1 && found.length === 1;
    const near = isBare ? Math.max(cell.box.width, 4 * line.fontSize) : ALIGNED * line.fontSize;
    return found.filter((amount) => {
      const distance = apart(cell.box, amount.box);
      return (
        (isAlone || distance <= near) &&
        cells.every((other) => other === cell || apart(other.box, amount.box) >= distance)
      );
    });
  }
  return [];
}

/** Between the nearest of their left edges, right edges and centres. */
function apart(one: Box, other: Box): number {
  return Math.min(
    Math.abs(one.x - other.x),
    Math.abs(one.x + one.width - other.x - other.width),
    Math.abs(one.x + one.width / 2 - other.x - other.width / 2),
  );
}

/** Whether it stands in a column or row of figures since the beginning of the year, or below such a label. */
function isYears(lines: readonly WordLine[], amount: Amount): boolean {
  const { line } = amount;
  if (isOfYear(lines, amount) || YEAR_TO_DATE.test(labelOf(amount)) || /^(?:19|20)\d\d\b/.test(line.text)) return true;
  const at = lines.indexOf(line);
  const above = lines.slice(Math.max(0, at - ROWS_OF_YEAR), at).findLast((one) => isHeading(one));
  return (
    above !== undefined &&
    above.page === line.page &&
    YEAR_TO_DATE.test(folded(above.text)) &&
    (isBlockOf(above, line) ||
      (lines[at - 1] === above &&
        above.box.y > line.box.y - 2.5 * line.fontSize &&
        /^\d{4}\b|^[\s\d.,'€$£-]*$/.test(line.text)))
  );
}

/** Words without figures. */
function isHeading({ text }: WordLine): boolean {
  return !/\d/.test(text);
}

/** Whether a heading stands alone above the beginning of a row. */
function isBlockOf(heading: WordLine, row: WordLine): boolean {
  return !heading.text.includes('\t') && heading.box.x < row.box.x + row.fontSize;
}
