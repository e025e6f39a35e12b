import { type Amount, amountsIn } from './amounts.ts';
import type { WordLine } from './words.ts';

/** A payslip row whose amount is not its basis times its rate in per cent. */
export interface WrongProduct {
  basis: Amount;
  /** As printed. */
  rate: string;
  amount: Amount;
  /** In cents, unsigned. */
  expected: number;
}

interface Row {
  basis: Amount;
  rate: string;
  amount: Amount;
  expected: number;
  holds: boolean;
}

const RATE = /^[\s%]{0,3}(\d{1,2}[.,]\d{1,4}) ?%?\s{0,3}$/;
/** In points: the right edges of one column are within this distance. */
const SAME_COLUMN = 6;
/** The number of consistent rows required for each inconsistent one. */
const AGREEING = 3;
const MAX_ROWS = 100;
/** In cents: a smaller difference may be rounding. */
const LEAST = 100;

/** Inconsistent rows, if enough rows of the same columns are consistent. */
export function wrongProducts(lines: readonly WordLine[]): WrongProduct[] {
  const rows = [...Map.groupBy(amountsIn(lines), ({ line }) => line).values()].flatMap(rowsOf).slice(0, MAX_ROWS);
  return rows.filter((row) => {
    const alike = rows.filter((other) => isAligned(row, other));
    const wrong = alike.filter(({ holds }) => !holds).length;
    return !row.holds && alike.length - wrong >= AGREEING * wrong;
  });
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
  return { basis, rate, amount, expected, holds: isNear || isHourly };
}

function isAligned(one: Row, other: Row): boolean {
  const right = ({ box }: Amount) => box.x + box.width;
  return (
    one.basis.line.page === other.basis.line.page &&
    Math.abs(right(one.basis) - right(other.basis)) < SAME_COLUMN &&
    Math.abs(right(one.amount) - right(other.amount)) < SAME_COLUMN
  );
}
