import { type Amount, amountsIn } from './amounts.ts';
import { folded, TAX } from './labels.ts';
import { payslipOf } from './payslip.ts';
import type { WordLine } from './words.ts';
import { isOfYear } from './year-column.ts';

/** A figure of the month with the same figure since the beginning of the year. */
export interface MonthOfYear {
  month: Amount;
  year: Amount;
}

/** Pay that its year-to-date figures contradict. */
export type WrongShare =
  | { kind: 'more than the year'; pay: MonthOfYear }
  | { kind: 'rose alone'; pay: MonthOfYear; gross: MonthOfYear; highest: MonthOfYear };

/** Fewer deductions may all be fixed amounts. */
const DEDUCTIONS = 3;
/** A rise of this share of pay cannot leave every deduction as it was. */
const RISE = 1.08;
/** In cents. */
const LEAST = 100;

const NOTHING = { wrong: undefined, compared: 0 };

/**
 * Pay of the month that is more than that of the whole year, or whose share in it is larger than that of every deduction: deductions depend
 * on pay. Taxes alone tell nothing: after a month with more pay, all their shares are smaller.
 */
export function sharesIn(lines: readonly WordLine[]): { wrong: WrongShare | undefined; compared: number } {
  const payslip = payslipOf(lines);
  if (payslip === undefined) return NOTHING;
  const amounts = amountsIn(lines);
  const ofYear = (month: Amount): MonthOfYear | undefined => {
    const year = amounts.filter(({ line }) => line === month.line).find((one) => one !== month && isOfYear(lines, one));
    return year === undefined || month.cents === 0 || year.cents === 0 ? undefined : { month, year };
  };
  const gross = ofYear(payslip.gross.amount);
  const earnings = payslip.gross.items.flatMap((item) => ofYear(item) ?? []);
  const deductions = payslip.deductions.flatMap(({ items }) => items).flatMap((item) => ofYear(item) ?? []);
  if (gross === undefined) return NOTHING;
  const compared = 1 + earnings.length + deductions.length;
  const more = [...earnings, gross].find(({ month, year }) => month.cents > year.cents + LEAST && year.cents > 0);
  if (more !== undefined) return { wrong: { kind: 'more than the year', pay: more }, compared };
  const [pay] = earnings.sort((one, other) => other.month.cents - one.month.cents);
  const [highest] = deductions.sort((one, other) => shareOf(other) - shareOf(one));
  // Gross pay alone was compared with its year.
  const onlyMore = { wrong: undefined, compared };
  if (pay === undefined || highest === undefined || deductions.length < DEDUCTIONS) return onlyMore;
  if (deductions.every(({ month }) => TAX.test(folded(month.line.text.slice(0, month.start))))) return onlyMore;
  const isAlone = [pay, gross].every((one) => shareOf(one) > RISE * shareOf(highest));
  return { wrong: isAlone ? { kind: 'rose alone', pay, gross, highest } : undefined, compared };
}

export function shareOf({ month, year }: MonthOfYear): number {
  return Math.abs(month.cents) / Math.abs(year.cents);
}
