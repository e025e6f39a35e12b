import type { Amount } from './amounts.ts';
import type { Payslip } from './payslip.ts';
import { isOfYear } from './year-column.ts';

/** In cents: a smaller difference may be rounding. */
export const LEAST = 100;
/** With more figures, the sums of three explain almost any difference, and those of two too many. */
const MAX_FOR_THREE = 16;
const MAX_FOR_TWO = 60;

/**
 * Whether figures of the page make up the difference of a net pay from what is required: expenses refunded, a tax of its own. If it is less,
 * so do lines of gross pay, which may not be paid in money.
 *
 * @param most figures together
 */
export function explainerOf(payslip: Payslip, most: 1 | 3 = 3): (difference: number) => boolean {
  const [others, lines] = [sizesOf(othersOf(payslip)), sizesOf(payslip.gross.items)];
  const isMadeUp = madeUpOf(others, most);
  const isOfAll = madeUpOf([...new Set([...others, ...lines])], most);
  const isUnpaid = unpaidOf(payslip, most);
  return (difference) => {
    const size = Math.abs(difference);
    return size < LEAST || isMadeUp(size) || (difference < 0 && (isUnpaid(size) || isOfAll(size)));
  };
}

/** Whether lines of gross pay make up a sum: benefits in kind, meal cards and tips are in gross pay, and not paid in money. */
export function unpaidOf({ gross }: Payslip, most: 1 | 3 = 3): (sum: number) => boolean {
  return madeUpOf(sizesOf(gross.items), most);
}

function sizesOf(amounts: readonly Amount[]): number[] {
  return [...new Set(amounts.map(({ cents }) => Math.abs(cents)))];
}

/** Whether up to three of few figures, added or subtracted, are a sum. */
function madeUpOf(figures: readonly number[], most: 1 | 3): (sum: number) => boolean {
  const values = figures.filter((cents) => cents > 0);
  const one = new Set(values);
  const pairs =
    most === 1 || values.length > MAX_FOR_TWO
      ? []
      : values.flatMap((first, at) =>
          values.slice(at + 1).flatMap((second) => [first + second, Math.abs(first - second)]),
        );
  const two = new Set(pairs);
  const third = most === 1 || values.length > MAX_FOR_THREE ? [] : values;
  return (size) => {
    const isNear = [0, 1, -1].some((cent) => one.has(size + cent) || two.has(size + cent));
    return isNear || third.some((value) => two.has(Math.abs(size - value)) || two.has(size + value));
  };
}

/** Figures of the month other than the totals and what makes them up. */
function othersOf({ gross, deductions, net, amounts, lists }: Payslip): Amount[] {
  const totals = [gross, ...deductions, net].map(({ amount }) => Math.abs(amount.cents));
  const listed = [gross, ...deductions].filter(({ amount, sum }) => sum === Math.abs(amount.cents));
  const items = new Set(listed.flatMap((total) => total.items));
  return amounts.filter(
    (amount) =>
      !items.has(amount) &&
      !totals.includes(Math.abs(amount.cents)) &&
      Math.abs(amount.cents) < Math.abs(gross.amount.cents) &&
      !isOfYear(lists.lines, amount),
  );
}
