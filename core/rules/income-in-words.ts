import { type RentRule, writeRentRule } from './affordability.ts';
import type { Certainty, IncomeCaution, IncomeSource } from './income-types.ts';
import type { Rhythm } from './pay-rhythm.ts';

/** The income for operators, in English. */

const AMOUNT = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

export function amount(cents: number): string {
  return AMOUNT.format(cents / 100);
}

const CERTAINTY: Record<Certainty, string> = {
  confirmed: 'confirmed by the bank',
  likely: 'likely',
  stated: 'only stated by documents',
};

export function certaintyInWords(certainty: Certainty | undefined): string {
  return certainty === undefined ? 'not known' : CERTAINTY[certainty];
}

const PAID: Record<Rhythm, string> = {
  week: 'paid weekly',
  'two-weeks': 'paid every two weeks',
  'four-weeks': 'paid every four weeks',
  'half-month': 'paid twice a month',
  month: 'paid monthly',
};

export function sourceInWords(source: IncomeSource): string {
  const { kind, payer, monthlyCents, months, isRegular, from, certainty } = source;
  const seen = months.length === 0 ? 'no month named' : `${months.length} ${months.length === 1 ? 'month' : 'months'}`;
  const rhythm = [isRegular ? 'regular' : 'varies', ...(source.rhythm ? [PAID[source.rhythm]] : [])].join(', ');
  const where = { bank: 'bank', statement: 'uploaded statement', payslip: 'payslip', tax: 'tax assessment' }[from];
  return `${amount(monthlyCents)} ${kind} from ${payer || 'an unnamed payer'} (${where}, ${seen}, ${rhythm}; ${CERTAINTY[certainty]})`;
}

export function cautionInWords(caution: IncomeCaution): string {
  switch (caution.kind) {
    case 'tampered':
      return `${caution.document} was found tampered and does not count.`;
    case 'suspicious':
      return `${caution.document} has findings: look at them before you rely on its figures.`;
    case 'unread':
      return `${caution.document} could not be read.`;
    case 'other-holder':
      return `An account is held by ${caution.holder || 'someone whom the bank does not name'}, not by the applicant, and does not count.`;
    case 'joint':
      return `An account is held jointly (${caution.holder}): some of its income may be the co-holder’s.`;
    case 'overdrawn':
      return 'An account is overdrawn.';
    case 'cut':
      return 'An account has more bookings than are read: the oldest are left out.';
    case 'other-currency':
      return `An account is in ${caution.currency} and does not count.`;
    case 'tax-only':
      return `The income is by the tax assessment${caution.year === '' ? '' : ` of ${caution.year}`}, after income tax: social contributions and later changes are not in it.`;
    case 'no-usual-pay':
      return `Payslips of ${caution.payer || 'an unnamed employer'} do not count: they state no period of pay, cover a part of one, or include pay that comes once or twice a year.`;
    case 'payslip-differs':
      return `Payslips of ${caution.payer || 'an unnamed employer'} state ${amount(caution.payslipCents)} a month, the bank shows ${amount(caution.bankCents)}.`;
  }
}

export function ruleInWords(rule: RentRule): string {
  const text = writeRentRule(rule);
  return rule.kind === 'share' ? `rent at most ${text} of the income` : `income at least ${text} the rent`;
}

/** Shown wherever the figures are (GDPR, article 22). */
export const NO_DECISION = 'These figures decide nothing. A person decides, and looks at the documents first.';
