import * as v from '@badrap/valita';
import { ProviderUnavailable } from '../../core/errors.ts';
import type { BankAccount, Booking } from '../../core/rules/bank-statement.ts';
import { oneLine } from '../../core/text.ts';

/** Reads the answers of Enable Banking: what does not have the described shape is the provider's fault, never the person's. */

const text = v.string();
const optionalText = text.optional();
const named = v.object({ name: optionalText });
const accountNumber = v.object({ iban: optionalText });
const amount = v.object({ amount: text.assert((given) => /^-?\d{1,13}(\.\d+)?$/.test(given)), currency: text });

const account = v.object({
  uid: optionalText,
  account_id: accountNumber.optional(),
  name: optionalText,
  details: optionalText,
  product: optionalText,
  currency: text,
});

const transaction = v.object({
  transaction_amount: amount,
  credit_debit_indicator: v.union(v.literal('CRDT'), v.literal('DBIT')),
  status: text,
  booking_date: optionalText,
  value_date: optionalText,
  transaction_date: optionalText,
  creditor: named.optional(),
  creditor_account: accountNumber.optional(),
  debtor: named.optional(),
  debtor_account: accountNumber.optional(),
  remittance_information: v.array(text).optional(),
});

export const answers = {
  application: v.object({ name: text, active: v.boolean(), redirect_urls: v.array(text) }),
  banks: v.object({ aspsps: v.array(v.object({ name: text, country: text })) }),
  authorization: v.object({ url: text }),
  session: v.object({ session_id: text, accounts: v.array(account) }),
  account,
  balances: v.object({ balances: v.array(v.object({ balance_type: text, balance_amount: amount })) }),
  transactions: v.object({ transactions: v.array(transaction), continuation_key: optionalText }),
  refusal: v.object({ error: optionalText }),
  nothing: v.unknown(),
};

/** @throws ProviderUnavailable without quoting the answer, which may hold a person's data */
export function readAnswer<Answer>(type: v.Type<Answer>, body: string): Answer {
  const read = type.try(parsedWithoutNulls(body), { mode: 'strip' });
  if (read.ok) return read.value;
  const where = read.issues[0]?.path.join('.') ?? '';
  throw new ProviderUnavailable(`The provider's answer is not as described (${where || 'no JSON'}).`);
}

/** Servers write null for what is missing. */
function parsedWithoutNulls(body: string): unknown {
  try {
    return JSON.parse(body, (_, value) => (value === null ? undefined : value));
  } catch {
    return undefined;
  }
}

type Account = v.Infer<typeof account>;

/** Undefined for an account that the bank lists but does not open, such as a closed one. */
export function accountOf({ uid, account_id, name, details, product, currency }: Account): BankAccount | undefined {
  if (uid === undefined) return undefined;
  const iban = account_id?.iban?.replace(/\s/g, '').toUpperCase();
  const shown = { holder: oneLine(name ?? ''), product: oneLine(product ?? details ?? ''), currency };
  return { id: uid, ...(iban ? { iban } : {}), ...shown };
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Undefined for what is not booked, and for an entry without a day. */
export function bookingOf(given: v.Infer<typeof transaction>): Booking | undefined {
  const { status, transaction_amount, credit_debit_indicator, booking_date, value_date, transaction_date } = given;
  const day = [booking_date, value_date, transaction_date].find((one) => one !== undefined && DAY.test(one));
  if (status !== 'BOOK' || day === undefined) return undefined;
  const isCredit = credit_debit_indicator === 'CRDT';
  const other = isCredit ? given.debtor : given.creditor;
  const iban = (isCredit ? given.debtor_account : given.creditor_account)?.iban;
  // Some banks sign the amounts of debits, others do not.
  const cents = Math.abs(centsOf(transaction_amount.amount));
  return {
    day,
    cents: isCredit ? cents : -cents,
    counterparty: oneLine(other?.name ?? ''),
    ...(iban ? { counterpartyIban: iban } : {}),
    text: oneLine((given.remittance_information ?? []).join(' ')),
  };
}

/** A decimal number of an amount in cents, rounded half away from zero. */
export function centsOf(decimal: string): number {
  return Math.sign(Number(decimal)) * Math.round(Math.abs(Number(decimal)) * 100);
}
