import type { Rhythm } from './pay-rhythm.ts';

/**
 * How sure a figure is. `confirmed`: a bank sent it, and it is regular. `likely`: a bank sent it and it varies or the account is shared, or
 * uploaded statements show it. `stated`: payslips or a tax assessment state it, and nothing else shows it.
 */
export type Certainty = 'confirmed' | 'likely' | 'stated';

export type IncomeKind = 'salary' | 'benefit' | 'other';

/** One source of income, a month, net, in cents. */
export interface IncomeSource {
  kind: IncomeKind;
  /** Who pays. */
  payer: string;
  monthlyCents: number;
  /** How often it is paid, where that is regular. */
  rhythm?: Rhythm;
  /** The months in which it was seen, `2026-03`, oldest first. */
  months: string[];
  isRegular: boolean;
  from: 'bank' | 'statement' | 'payslip' | 'tax';
  certainty: Certainty;
}

/** A regular payment that narrows what is left for the rent, in cents. */
export interface Outgoing {
  kind: 'rent' | 'loan';
  payee: string;
  monthlyCents: number;
}

/** What a person who decides should know beside the figures. */
export type IncomeCaution =
  | { kind: 'tampered' | 'suspicious' | 'unread'; document: string }
  | { kind: 'other-holder' | 'joint'; holder: string }
  | { kind: 'overdrawn' | 'cut' }
  | { kind: 'other-currency'; currency: string }
  | { kind: 'tax-only'; year: string }
  | { kind: 'no-usual-pay'; payer: string }
  | { kind: 'payslip-differs'; payslipCents: number; bankCents: number; payer: string };

export interface Income {
  /** The sum of the sources, a month; undefined when it is not known. */
  monthlyCents: number | undefined;
  /** The least certain source of those that are summed. */
  certainty: Certainty | undefined;
  sources: IncomeSource[];
  outgoings: Outgoing[];
  cautions: IncomeCaution[];
}
