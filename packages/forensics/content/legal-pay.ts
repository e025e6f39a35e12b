import type { Amount } from './amounts.ts';
import { folded } from './labels.ts';
import { payslipOf } from './payslip.ts';
import { labelOf } from './payslip-figures.ts';
import { itemsAddingUp } from './payslip-lists.ts';
import type { WordLine } from './words.ts';
import { isOfYear } from './year-column.ts';

/** The pay from which law takes an amount. */
export interface PayRange {
  contribution: string;
  /** In per cent. */
  percent: number;
  amount: Amount;
  /** In cents. */
  low: number;
  high: number;
  pay: number;
}

/** Pay that is more than its contributions are of. */
export interface RaisedPay {
  gross: Amount;
  /** In cents. */
  expected: number;
  taken: readonly PayRange[];
  month: string;
}

/** The pay that a page states, and what else on it may lawfully make contributions smaller. */
export interface PayOnPage {
  gross: Amount;
  /** In cents: the least pay of which contributions can be, if everything that may be exempt is. */
  least: number;
  /** What the page contradicts, unless figures of the page are the difference. */
  raisedFrom: (range: PayRange, taken: readonly PayRange[]) => Omit<RaisedPay, 'month'> | undefined;
}

/** Pay that is turned into a pension or a benefit, of which nothing is taken. */
const CONVERTED =
  /umwandl|direktvers|altersvors|pensionskasse|\bbav\b|leasing|jobrad|jobticket|sacrifice|pension|retribucion flexible|en especie|seguro medico|ticket|avantage|fondo/;
/** In cents: a smaller difference may be rounding. */
const LEAST = 100;
/** With more figures, sums of two explain almost any difference. */
const MAX_FOR_TWO = 60;

/** Undefined unless a list of payments adds up to gross pay: a payment that was not read may be exempt. */
export function payOnPage(lines: readonly WordLine[]): PayOnPage | undefined {
  const payslip = payslipOf(lines);
  if (payslip === undefined || payslip.gross.sum !== Math.abs(payslip.gross.amount.cents)) return undefined;
  const gross = payslip.gross.amount;
  const payments = itemsAddingUp(gross, payslip.lists);
  const isAlone = payslip.amounts.some((one) => one.line !== gross.line && one.cents === gross.cents);
  if (payments.length === 0 && !isAlone) return undefined;
  // Other payments may be exempt, in part or as a whole; the largest is the salary.
  const salary = Math.max(...payments.map(({ cents }) => cents), isAlone ? gross.cents : 0);
  const ofMonth = payslip.amounts.filter((one) => !isOfYear(lines, one));
  const converted = ofMonth.filter((one) => CONVERTED.test(folded(labelOf(one)))).map(({ cents }) => Math.abs(cents));
  const least = salary - converted.reduce((sum, cents) => sum + cents, 0) - LEAST;
  const totals = [gross, payslip.net.amount, ...payslip.deductions.map((total) => total.amount)];
  const others = ofMonth.filter((one) => !totals.some(({ cents }) => Math.abs(cents) === Math.abs(one.cents)));
  const isExplained = explained(others.map(({ cents }) => Math.abs(cents)));
  return {
    gross,
    least,
    raisedFrom(range, taken) {
      const expected = Math.round(range.pay);
      const isLawful = range.high >= least || isExplained(gross.cents, range) || isExplained(salary, range);
      return isLawful ? undefined : { gross, expected, taken };
    },
  };
}

/** Whether one or two figures of the page are the difference between stated and contributory pay. */
function explained(figures: readonly number[]): (stated: number, range: PayRange) => boolean {
  const values = [...new Set(figures)].filter((cents) => cents > 0);
  const pairs =
    values.length > MAX_FOR_TWO
      ? []
      : values.flatMap((one, at) => values.slice(at + 1).flatMap((other) => [one + other, Math.abs(one - other)]));
  const known = [...values, ...pairs];
  return (stated, { low, high }) => known.some((value) => low <= stated - value && stated - value <= high);
}
