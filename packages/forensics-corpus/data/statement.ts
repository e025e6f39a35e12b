import type { Random } from '../random.ts';
import { ibanOf } from './iban.ts';
import { daysLater, figure, type Locale } from './locale.ts';
import { bankOf, type Person, personOf, spendingOf } from './people.ts';
import { statementWords } from './words.ts';

export interface Movement {
  date: Date;
  valueDate: Date;
  /** One or two lines. */
  text: string[];
  /** In cents; negative for money going out. */
  amount: number;
  /** After this movement, in cents. */
  balance: number;
}

export interface Statement {
  locale: Locale;
  bank: string;
  holder: Person;
  /** With spaces; a plain account number in countries without IBANs. */
  account: string;
  number: string;
  from: Date;
  to: Date;
  opening: number;
  closing: number;
  /** Oldest first. */
  movements: Movement[];
  /** Pending bookings, not included in any balance yet. */
  pending: Pick<Movement, 'text' | 'amount'>[];
}

/** A month of a bank account; every balance follows from the previous one. */
export function statementOf(locale: Locale, random: Random, count: number): Statement {
  const from = new Date(Date.UTC(random.integer(2023, 2025), random.integer(0, 11), 1));
  const days = Array.from({ length: count }, () => random.integer(0, 27)).sort((one, other) => one - other);
  const opening = random.integer(80_000, 900_000);
  const monthly = monthlyAmounts(locale, random, count);
  // Some banks print invoice numbers and exchange rates below the payment: figures that are part of no sum.
  const wordy = random.chance(0.4);
  const pending = random.chance(0.2) ? [shopping(locale, random, wordy), shopping(locale, random, wordy)] : [];
  let balance = opening;
  const movements = days.map((day, index): Movement => {
    const movement = monthly.get(index) ?? shopping(locale, random, wordy);
    balance += movement.amount;
    const date = daysLater(from, day);
    return { date, valueDate: daysLater(date, random.chance(0.2) ? 1 : 0), ...movement, balance };
  });
  return {
    locale,
    bank: bankOf(locale.tag, random),
    holder: personOf(locale.tag, random),
    account: ibanOf(locale.country, random),
    number: `${random.integer(1, 12)}/${from.getUTCFullYear()}`,
    from,
    to: daysLater(from, 27),
    opening,
    closing: balance,
    movements,
    pending,
  };
}

type Sum = Pick<Movement, 'text' | 'amount'>;

/** Salary and rent, once each, at separate positions. */
function monthlyAmounts(locale: Locale, random: Random, count: number): Map<number, Sum> {
  const { salary, rent } = spendingOf(locale.tag);
  const [first = 0, second = 1] = random.several([...Array(count).keys()], 2);
  const factor = locale.currency === 'PLN' ? 3 : 1;
  return new Map([
    [first, { text: [salary, reference(random)], amount: factor * random.integer(180_000, 620_000) }],
    [second, { text: [rent, reference(random)], amount: -factor * random.integer(55_000, 165_000) }],
  ]);
}

function shopping(locale: Locale, random: Random, wordy: boolean): Sum {
  const name = random.pick(spendingOf(locale.tag).shops);
  const refund = random.chance(0.08);
  const large = random.chance(0.15);
  const amount = large ? random.integer(10_000, 140_000) : random.integer(199, 9_999);
  const second = wordy && random.chance(0.5) ? figures(locale, random, amount) : reference(random);
  return { text: random.chance(0.35) ? [name, second] : [name], amount: refund ? amount : -amount };
}

/** An amount in another currency with its rate, or an invoice amount. */
function figures(locale: Locale, random: Random, amount: number): string {
  const rate = random.integer(8_500, 11_900);
  const foreign = figure(Math.round((amount * rate) / 10_000), locale);
  const { exchange } = statementWords(locale.tag);
  if (random.chance(0.5)) return `${foreign} USD ${exchange} ${String(rate / 10_000).replace('.', locale.decimal)}`;
  return `RG ${random.digits(5)} ${figure(random.integer(1_000, 90_000), locale)}`;
}

function reference(random: Random): string {
  return random.chance(0.5) ? `REF ${random.letters(2)}${random.digits(8)}` : `${random.digits(4)} ${random.digits(6)}`;
}
