import type { Box } from './model.ts';

/** What documents say about one applicant, in a form that can be compared between documents. */

export const PAPER_KINDS = ['payslip', 'statement', 'identity', 'tax', 'letter'] as const;

/**
 * The subject of a claim, which decides the form of its value. Amounts: cents in decimal. Days: `2025-03-28`, for dates of birth without
 * the century. Months: `2025-03`, those whose pay a payslip is of. Periods: the number of a week. Frequencies: how often a payslip pays.
 * Names, employers and booking texts: folded words separated by spaces. Numbers: letters and digits without separators.
 */
export const CLAIM_KINDS = [
  ...(['name', 'born', 'place', 'iban', 'id', 'employer', 'staff', 'month', 'period', 'payday'] as const),
  ...(['frequency', 'joined'] as const),
  ...(['net', 'gross', 'unusual', 'year_to_date', 'figure', 'correction'] as const),
  ...(['from', 'to', 'number', 'opening', 'closing', 'credit'] as const),
  ...(['income', 'tax', 'year'] as const),
] as const;

export type ClaimKind = (typeof CLAIM_KINDS)[number];

export const PAY_FREQUENCIES = ['four-weeks', 'two-weeks', 'half-month', 'week', 'month'] as const;
export type PayFrequency = (typeof PAY_FREQUENCIES)[number];

/** Where a payslip's account stands: beside a label of the payment or the employee, or in a letterhead or a footer. */
export const PAID_INTO = 'paid into';
export const OF_COMPANY = 'of a company';

export interface Claim {
  kind: ClaimKind;
  value: string;
  /** As printed. */
  text: string;
  page: number;
  box: Box;
  /** The day of a booking. */
  day?: string;
  /** The text of a booking; the kind of a national number; where a name or an account stands. */
  words?: string;
}

/** One payslip, statement, identity document, tax assessment, or contract or confirmation of an employment; a file may hold several. */
export interface Paper {
  kind: (typeof PAPER_KINDS)[number];
  /** Read by OCR, so a wrong digit may be a misreading. */
  is_read: boolean;
  claims: Claim[];
}

export const MAX_PAPERS = 24;
export const MAX_CLAIMS = 500;
