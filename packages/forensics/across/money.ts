import type { Claim, Paper } from '../claims.ts';
import { distinctWords } from '../content/claims/companies.ts';
import { claimOf, claimsOf, type OwnedPaper } from './paper.ts';

/** How payslips relate to credits. */

const DAY_MS = 86_400_000;
/** In cents: payments may be rounded. */
export const ROUNDING = 100;
/** A holiday or weekend moves a payday by up to this many days. */
const DAYS_AROUND = 5;
const MIN_WORD_LENGTH = 4;
const MIN_SHARE = 0.25;
const SALARY =
  /\b(?:gehalt|lohn|bezuge|entgelt|verdienst|salary|wages?|payroll|pay|nomina|salario|sueldo|haberes|salaire|paie|remuneration|traitement|stipendio|emolumenti|retribuzione|competenze|salaris|loon|wynagrodzenie|pensja|wyplata|ordenado|vencimento)\b/;

export function cents({ value }: Claim): number {
  return Number(value);
}

export function daysBetween(one: string, other: string): number {
  return Math.round((Date.parse(other) - Date.parse(one)) / DAY_MS);
}

export function dayAfter(iso: string, days: number): string {
  return new Date(Date.parse(iso) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Amounts that may have been paid for the payslip: net pay, alone or plus or minus another figure on the page, such as expenses. */
export function mayBePaid(payslip: Paper, credit: number): boolean {
  const figures = claimsOf(payslip, 'figure').map(cents);
  return claimsOf(payslip, 'net')
    .map(cents)
    .some((net) => {
      const miss = Math.abs(credit - Math.abs(net));
      return miss <= ROUNDING || figures.some((figure) => Math.abs(miss - Math.abs(figure)) <= ROUNDING);
    });
}

/** By its wording, or because it names the employer by its first distinctive word. */
export function isSalary({ words = '' }: Claim, employer: Claim | undefined): boolean {
  const [first] = employer === undefined ? [] : distinctWords(employer.text);
  return SALARY.test(words) || (first !== undefined && first.length >= MIN_WORD_LENGTH && words.includes(first));
}

/** Whether the credit may be this pay after a change; very different sums are other payments, such as refunds from the employer's shop. */
export function isLikePay(credit: Claim, net: Claim): boolean {
  return cents(credit) > MIN_SHARE * cents(net) && cents(net) > MIN_SHARE * cents(credit);
}

/**
 * The days on which the pay of a payslip, and of no other month, may have arrived: around the payday printed on it, or from the 20th
 * of its month to the 12th of the next.
 */
export function payWindow(payslip: Paper): { from: string; to: string } | undefined {
  const month = claimOf(payslip, 'month')?.value;
  const payday = claimOf(payslip, 'payday')?.value;
  if (payday !== undefined) return { from: dayAfter(payday, -DAYS_AROUND), to: dayAfter(payday, DAYS_AROUND) };
  if (month === undefined || !isMonth(month)) return undefined;
  const end = dayAfter(`${nextMonth(month)}-01`, 11);
  return { from: `${month}-20`, to: end };
}

/** A hostile file can contain `2025-13`. */
export function isMonth(month: string): boolean {
  return /^\d{4}-(?:0[1-9]|1[0-2])$/.test(month);
}

export function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`;
}

/** Whether the statement's days include all of the window. */
export function covers(statement: OwnedPaper, { from, to }: { from: string; to: string }): boolean {
  const [first, last] = [claimOf(statement, 'from'), claimOf(statement, 'to')];
  return first !== undefined && last !== undefined && first.value <= from && last.value >= to;
}

export function creditsIn(statement: Paper, { from, to }: { from: string; to: string }): Claim[] {
  return claimsOf(statement, 'credit').filter(({ day }) => day !== undefined && day >= from && day <= to);
}
