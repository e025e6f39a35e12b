import type { Amount } from './amounts.ts';
import type { Payslip } from './payslip.ts';
import { isOfYear } from './year-column.ts';

/** In cents: a smaller difference may be rounding. */
export const LEAST = 100;
/** With more figures, the sums of three explain almost any difference, and those of two too many. */
const MAX_FOR_THREE = 16;
const MAX_FOR_TWO = 60;

/**
 * Whether figures of the page make up a difference: expenses refunded, benefits in kind, a tax of its own.
 *
 * @param most figures together
 */
export function explainerOf(payslip: Payslip, most: 1 | 3 = 3): (difference: number) => boolean {
  const values = [...new Set(othersOf(payslip).map(({ cents }) => Math.abs(cents)))].filter((cents) => cents > 0);
  const one = new Set(values);
  const pairs =
    most === 1 || values.length > MAX_FOR_TWO
      ? []
      : values.flatMap((first, at) =>
          values.slice(at + 1).flatMap((second) => [first + second, Math.abs(first - second)]),
        );
  const two = new Set(pairs);
  const third = most === 1 || values.length > MAX_FOR_THREE ? [] : values;
  return (difference) => {
    const size = Math.abs(difference);
    if (size < LEAST) return true;
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
