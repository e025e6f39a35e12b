import { type Amount, amountsIn } from './amounts.ts';
import { DEDUCTIONS, folded, GROSS, NET } from './labels.ts';
import { TITLES } from './terms/terms.ts';
import type { WordLine } from './words.ts';

/** A payslip row with a basis, a rate in per cent and an amount. */
export interface Row {
  basis: Amount;
  /** As printed. */
  rate: string;
  percent: number;
  amount: Amount;
  /** In cents, unsigned. */
  expected: number;
  holds: boolean;
  /** Whether hardly any other amount would hold, too. */
  tells: boolean;
}

const RATE = /^[\s%]{0,3}(\d{1,2}[.,]\d{1,4}) ?%?\s{0,3}[-+(€£]?$/;
/** In points: the right edges of one column are within this distance. */
const SAME_COLUMN = 6;
/** The number of consistent rows required for each inconsistent one. */
const AGREEING = 3;
/** A row tells something if its amount is this many times what rounding may change. */
const TELLING = 10;
const MAX_ROWS = 100;
/** In cents: a smaller difference may be rounding. */
const LEAST = 100;

/** Inconsistent rows, if enough rows of the same columns are consistent, and how many rows come out. */
export function wrongProducts(lines: readonly WordLine[]): { wrong: Row[]; compared: number } {
  if (!lines.some(({ text }) => isOfPay(folded(text)))) return { wrong: [], compared: 0 };
  const rows = rowsIn(lines);
  const wrong = rows.filter((row) => {
    const alike = rows.filter((other) => isAligned(row, other));
    const off = alike.filter(({ holds }) => !holds).length;
    const agreeing = alike.filter(({ holds, tells }) => holds && tells);
    return !row.holds && agreeing.length >= AGREEING * off && agreeing.some((other) => isOfBasis(row, other));
  });
  return { wrong, compared: rows.filter(({ tells }) => tells).length };
}

/** Rows with a basis, a rate and an amount. */
export function rowsIn(lines: readonly WordLine[]): Row[] {
  return [...Map.groupBy(amountsIn(lines), ({ line }) => line).values()].flatMap(rowsOf).slice(0, MAX_ROWS);
}

function rowsOf(amounts: readonly Amount[]): Row[] {
  return amounts.flatMap((basis, index) =>
    // A rate with two decimals is also parsed as an amount.
    amounts.slice(index + 1, index + 3).flatMap((amount) => {
      const rate = RATE.exec(basis.line.text.slice(basis.end, amount.start))?.[1];
      return rate === undefined ? [] : [rowOf(basis, rate, amount)];
    }),
  );
}

/** A rate is rounded to its last decimal; hours times an hourly rate is no percentage. */
function rowOf(basis: Amount, rate: string, amount: Amount): Row {
  const decimals = rate.length - rate.search(/[.,]/) - 1;
  const factor = Number(rate.replace(',', '.'));
  const [base, shown] = [Math.abs(basis.cents), Math.abs(amount.cents)];
  const expected = Math.round((base * factor) / 100);
  const rounding = (base * 0.5 * 10 ** -decimals) / 100 + 1;
  const isNear = Math.abs(shown - expected) <= Math.max(rounding, LEAST);
  const isHourly = Math.abs(shown - base * factor) <= 100 * rounding;
  const tells = Math.abs(shown - expected) <= rounding && expected >= TELLING * rounding;
  return { basis, rate, percent: factor, amount, expected, holds: isNear || isHourly, tells };
}

/** Whether a row has the basis of another one, or the amount that follows from that: its own basis may be hours, whose pay a share is of. */
function isOfBasis({ basis, percent, amount }: Row, other: Row): boolean {
  const [own, pay] = [basis, other.basis].map(({ cents }) => Math.abs(cents));
  if (pay === undefined || own === pay) return true;
  return Math.abs((pay * percent) / 100 - Math.abs(amount.cents)) <= LEAST;
}

/** Other tables have numbers in columns, too. */
function isOfPay(text: string): boolean {
  return [GROSS, DEDUCTIONS, NET, TITLES.payslip].some((label) => label.test(text));
}

function isAligned(one: Row, other: Row): boolean {
  const right = ({ box }: Amount) => box.x + box.width;
  return (
    one.basis.line.page === other.basis.line.page &&
    Math.abs(right(one.basis) - right(other.basis)) < SAME_COLUMN &&
    Math.abs(right(one.amount) - right(other.amount)) < SAME_COLUMN
  );
}
