import type { Random } from '../random.ts';
import { ibanOf } from './iban.ts';
import { daysLater, type Locale } from './locale.ts';
import { employerOf, type Person, personOf } from './people.ts';
import { type PayslipWords, payslipWords } from './words.ts';

export interface PayItem {
  name: string;
  /** In cents, never below 0. */
  amount: number;
  /** Since January, including this month. */
  yearToDate: number;
}

export interface Payslip {
  locale: Locale;
  employer: string;
  employee: Person;
  number: string;
  taxClass: string;
  account: string;
  /** The first day of the month. */
  month: Date;
  payday: Date;
  earnings: PayItem[];
  gross: number;
  deductions: PayItem[];
  deducted: number;
  net: number;
  /** The employer's own contributions, which are part of none of the employee's sums. */
  employerShare: number;
}

/** One month's pay: the earnings add up to the gross, and the gross less the deductions is the net. */
export function payslipOf(locale: Locale, random: Random): Payslip {
  const words = payslipWords(locale.tag);
  const month = new Date(Date.UTC(random.integer(2023, 2025), random.integer(0, 11), 1));
  const months = month.getUTCMonth() + 1;
  const item = (name: string, amount: number): PayItem => ({ name, amount, yearToDate: soFar(amount, months, random) });
  const factor = locale.currency === 'PLN' ? 3 : 1;
  const earnings = [item(words.base, factor * random.integer(210_000, 690_000)), ...extras(words, random, item)];
  const gross = sum(earnings);
  const deductions = deductionsFrom(gross, words, random, item);
  const deducted = sum(deductions);
  return {
    locale,
    employer: employerOf(locale.tag, random),
    employee: personOf(locale.tag, random),
    number: random.digits(6),
    taxClass: String(random.integer(1, 5)),
    account: ibanOf(locale.country, random),
    month,
    payday: daysLater(month, 27),
    earnings,
    gross,
    deductions,
    deducted,
    net: gross - deducted,
    employerShare: Math.round(gross * 0.2),
  };
}

type Make = (name: string, amount: number) => PayItem;

function extras({ overtime, bonus, meals }: PayslipWords, random: Random, item: Make): PayItem[] {
  const wanted = random.several([overtime, bonus, meals], random.integer(0, 3));
  return wanted.map((name) => item(name, random.integer(2_500, 45_000)));
}

function deductionsFrom(gross: number, words: PayslipWords, random: Random, item: Make): PayItem[] {
  const share = (from: number, to: number) => Math.round((gross * random.integer(from, to)) / 1000);
  const always = [
    item(words.tax, share(90, 190)),
    item(words.pension, share(40, 95)),
    item(words.health, share(30, 85)),
  ];
  const maybe = [item(words.jobless, share(10, 16)), item(words.union, random.integer(900, 4_900))];
  return [...always, ...maybe.filter(() => random.chance(0.6))];
}

/** Months vary slightly, so the result is not an exact product. */
function soFar(amount: number, months: number, random: Random): number {
  return amount + Math.round(amount * (months - 1) * (0.94 + random.number() * 0.1));
}

function sum(items: readonly PayItem[]): number {
  return items.reduce((total, { amount }) => total + amount, 0);
}
