import type { AccountStatement, BankStatement, Booking } from './bank-statement.ts';
import { daysBetween, seriesOf } from './income-series.ts';
import type { IncomeCaution, IncomeSource, Outgoing } from './income-types.ts';
import { creditKind, debitKind, folded, holds, isInvoice, isJoint, namesSame } from './income-words.ts';

interface BankIncome {
  /** Whether an account of the person was read for long enough. */
  isKnown: boolean;
  sources: IncomeSource[];
  outgoings: Outgoing[];
  cautions: IncomeCaution[];
}

const CURRENCY = 'EUR';
/** Without income in less time, the next pay may be yet to come. */
const MIN_DAYS = 85;
/** Below that, a payer's credits are change between friends. */
const MIN_MONTHLY_CENTS = 5_000;

const INVOICES = 'Invoices';

type Period = Pick<BankStatement, 'from' | 'to'>;

/** Income, rent and loans by what banks sent. An account of someone else counts for nothing, and is named. */
export function bankIncome(
  statements: readonly BankStatement[],
  person: string,
  payslips: readonly IncomeSource[],
): BankIncome {
  const ibans = new Set(statements.flatMap(({ accounts }) => accounts.flatMap(({ account }) => account.iban ?? [])));
  const found: BankIncome = { isKnown: false, sources: [], outgoings: [], cautions: [] };
  for (const statement of statements)
    for (const account of statement.accounts) {
      const { holder, currency } = account.account;
      if (account.closingCents !== undefined && account.closingCents < 0) found.cautions.push({ kind: 'overdrawn' });
      if (account.isCut) found.cautions.push({ kind: 'cut' });
      if (currency !== CURRENCY) found.cautions.push({ kind: 'other-currency', currency });
      else if (!holds(holder, person)) found.cautions.push({ kind: 'other-holder', holder });
      else {
        found.isKnown ||= account.bookings.length > 0 && daysBetween(statement.from, statement.to) >= MIN_DAYS;
        const joint = isJoint(holder);
        if (joint) found.cautions.push({ kind: 'joint', holder });
        found.sources.push(...sourcesOf(account, statement, { person, ibans, payslips, joint }));
        found.outgoings.push(...outgoingsOf(account, statement));
      }
    }
  return found;
}

interface About {
  person: string;
  ibans: ReadonlySet<string>;
  payslips: readonly IncomeSource[];
  joint: boolean;
}

function sourcesOf({ account, bookings }: AccountStatement, period: Period, about: About): IncomeSource[] {
  const credits = bookings.filter(({ cents }) => cents > 0).filter((one) => !isOwnTransfer(one, about, account.holder));
  return [...Map.groupBy(credits, payerOf).entries()].flatMap(([payer, payments]): IncomeSource[] => {
    const series = seriesOf(payments, period);
    if (!series || series.monthlyCents < MIN_MONTHLY_CENTS) return [];
    const employer = about.payslips.find((payslip) => namesSame(payslip.payer, payer));
    const words = folded(payments.map(({ counterparty, text }) => `${counterparty} ${text}`).join(' '));
    const kind = creditKind(words, series.isRegular, employer !== undefined);
    if (!kind) return [];
    // In a joint account, the pay may be the co-holder's, unless a payslip of this person names the payer.
    const isSure = series.isRegular && kind !== 'other' && (!about.joint || employer !== undefined);
    return [{ kind, payer, ...series, from: 'bank', certainty: isSure ? 'confirmed' : 'likely' }];
  });
}

/** Many clients pay a few invoices each: together they are one source. */
function payerOf({ cents, counterparty, text }: Booking): string {
  if (cents > 0 && isInvoice(folded(text))) return INVOICES;
  return counterparty || text.replace(/[\d/.-]+/g, '').trim() || '?';
}

/** Money that moves between the person's own accounts is no income. */
function isOwnTransfer({ counterparty, counterpartyIban }: Booking, { ibans, person }: About, holder: string): boolean {
  if (counterpartyIban !== undefined && ibans.has(counterpartyIban)) return true;
  const name = folded(counterparty);
  return name !== '' && (name === folded(person) || name === folded(holder));
}

function outgoingsOf({ bookings }: AccountStatement, period: Period): Outgoing[] {
  const debits = bookings.filter(({ cents }) => cents < 0).map((one) => ({ ...one, cents: -one.cents }));
  return [...Map.groupBy(debits, payerOf).entries()].flatMap(([payee, payments]): Outgoing[] => {
    const kind = debitKind(folded(payments.map(({ counterparty, text }) => `${counterparty} ${text}`).join(' ')));
    const series = kind && seriesOf(payments, period);
    return kind && series ? [{ kind, payee, monthlyCents: series.monthlyCents }] : [];
  });
}
