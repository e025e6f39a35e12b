import { type Amount, amountsIn } from './amounts.ts';
import { type LabelledAmount, type LabelOf, labelledAmounts } from './labelled-amounts.ts';
import { DEDUCTIONS, folded, GROSS, NET, OTHER_PAY, PAY_HEADING } from './labels.ts';
import { areAligned, columnsOf } from './ledger/columns.ts';
import type { WordLine } from './words.ts';

/** The figures of a payslip that are related by arithmetic. */
export interface Payslip {
  gross: Total;
  /** Subtracted together: one total, or parts such as taxes and insurance. */
  deductions: Total[];
  net: Total;
  /** Every amount of the page. */
  amounts: readonly Amount[];
}

export interface Total {
  amount: Amount;
  /** The amounts above it in its column, up to the heading or the previous total. */
  items: Amount[];
  /** In cents: the sum of the nearest items that add up to the total, or else of all items. */
  sum: number | undefined;
}

type Kind = 'gross' | 'deductions' | 'net';

const LABELS: readonly LabelOf<Kind>[] = [
  { kind: 'gross', label: GROSS },
  { kind: 'deductions', label: DEDUCTIONS },
  { kind: 'net', label: NET },
];
const PARTS = 3;
const CANDIDATES = 12;
/** In line heights: a wider gap separates two lists. */
const LIST_GAP = 5;
/** In cents: some countries round payments. */
export const ROUNDING = 5;

/** The payslip on a page; undefined if gross pay, deductions or net pay are not named, or if it is unclear which figures are meant. */
export function payslipOf(lines: readonly WordLine[]): Payslip | undefined {
  const amounts = amountsIn(lines);
  const candidates = labelledAmounts(lines, amounts, LABELS, OTHER_PAY);
  const of = (kind: Kind) => distinct(candidates.filter((candidate) => candidate.kind === kind)).slice(0, CANDIDATES);
  const chosen = choice(of('gross'), of('deductions'), of('net'));
  if (chosen === undefined) return undefined;
  const columns = columnsOf(amounts);
  const totals = new Set(candidates.map(({ amount }) => amount.line));
  const total = (amount: Amount) => {
    const column = columns.find((one) => one.includes(amount)) ?? [];
    // Figures that are crowded in one part of the table may split a column in another.
    const beside = amounts.filter((one) => !column.includes(one) && areAligned(one, amount));
    return totalOf(amount, [...column, ...beside], totals, lines);
  };
  return { gross: total(chosen.gross), deductions: chosen.deductions.map(total), net: total(chosen.net), amounts };
}

interface Choice {
  gross: Amount;
  deductions: Amount[];
  net: Amount;
}

/** The figures that add up, or else those that are unique under their labels. */
function choice(gross: Amount[], deductions: Amount[], net: Amount[]): Choice | undefined {
  const sets = subsets(deductions);
  for (const one of gross) {
    for (const set of sets) {
      const rest = Math.abs(one.cents) - sumOf(set.map(({ cents }) => Math.abs(cents)));
      const match = net.find(({ cents }) => Math.abs(Math.abs(cents) - rest) <= ROUNDING);
      if (match !== undefined) return { gross: one, deductions: set, net: match };
    }
  }
  const [onlyGross, onlyNet] = [gross[0], net[0]];
  if (gross.length !== 1 || net.length !== 1 || onlyGross === undefined || onlyNet === undefined) return undefined;
  return deductions.length === 0 || deductions.length > PARTS
    ? undefined
    : { gross: onlyGross, deductions, net: onlyNet };
}

function totalOf(
  amount: Amount,
  column: readonly Amount[],
  totals: ReadonlySet<WordLine>,
  lines: readonly WordLine[],
): Total {
  const items: Amount[] = [];
  const place = lines.indexOf(amount.line);
  const gap = LIST_GAP * amount.line.fontSize;
  let last: WordLine | undefined;
  for (let index = place - 1; index >= 0; index--) {
    const line = lines[index];
    // Totals may be at the foot of the form, far below a short list.
    const isFar = items.length > 0 && last !== undefined && line !== undefined && last.box.y - line.box.y > gap;
    if (line === undefined || isFar) break;
    const item = column.find((one) => one.line === line);
    if (totals.has(line) || (item === undefined && isHeading(line))) break;
    if (item === undefined) continue;
    items.unshift(item);
    last = line;
  }
  return { amount, items, sum: sumToward(items, amount) };
}

function sumToward(items: readonly Amount[], { cents }: Amount): number | undefined {
  const [first] = items;
  if (first === undefined || (items.length === 1 && Math.abs(first.cents - cents) > ROUNDING)) return undefined;
  for (let count = 1; count <= items.length; count++) {
    const nearest = items.slice(-count).map((item) => item.cents);
    for (const sum of [sumOf(nearest), sumOf(nearest.map(Math.abs))]) {
      if (Math.abs(sum - Math.abs(cents)) <= ROUNDING || Math.abs(sum - cents) <= ROUNDING) return Math.abs(cents);
    }
  }
  return Math.abs(sumOf(items.map((item) => item.cents)));
}

function isHeading(line: WordLine): boolean {
  return PAY_HEADING.test(folded(line.text)) && !/\d[.,]\d{2}/.test(line.text);
}

function distinct(candidates: readonly LabelledAmount<Kind>[]): Amount[] {
  const seen = new Map<number, Amount>();
  for (const { amount } of candidates)
    if (amount.cents !== 0 && !seen.has(amount.cents)) seen.set(amount.cents, amount);
  return [...seen.values()];
}

/** Subsets of one to three amounts. */
function subsets(amounts: readonly Amount[]): Amount[][] {
  let sets: Amount[][] = [[]];
  for (const amount of amounts) sets = sets.flatMap((set) => [set, ...(set.length < PARTS ? [[...set, amount]] : [])]);
  return sets.filter((set) => set.length > 0).sort((one, other) => one.length - other.length);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
