import { type Identity, identityOf } from '../data/identity.ts';
import { daysLater, type Locale, locales } from '../data/locale.ts';
import { type PayItem, type Payslip, payslipOf } from '../data/payslip.ts';
import { spendingOf } from '../data/people.ts';
import { type Movement, type Statement, statementOf } from '../data/statement.ts';
import type { Random } from '../random.ts';

/** The documents of one applicant, consistent with each other: three payslips, the statements of those months, a passport or card. */
export interface Applicant {
  locale: Locale;
  payslips: Payslip[];
  statements: Statement[];
  identity: Identity;
}

/** The circumstances in which honest sets of documents differ. */
export const circumstances = [
  ...(['plain', 'bonus', 'mid-month-start', 'paid-next-month', 'joint-account', 'trading-name', 'no-payer'] as const),
  ...(['other-name-order', 'without-accents', 'rounded', 'two-accounts', 'moved', 'gap'] as const),
] as const;
export type Circumstance = (typeof circumstances)[number];

const MONTHS = 3;

export function applicantOf(tag: Locale['tag'], how: Circumstance, random: Random): Applicant {
  const locale = locales[tag];
  const first = payslipOf(locale, random);
  const start = new Date(Date.UTC(random.integer(2023, 2025), random.integer(how === 'gap' ? 1 : 0, 8), 1));
  const payslips = Array.from({ length: MONTHS }, (_, index) => monthOf(first, start, index, how));
  const accounts = how === 'two-accounts' ? statementOf(locale, random, 9).account : first.account;
  const statements = statementsOf({ locale, start, how, random, account: accounts }, payslips);
  const { employee } = first;
  return { locale, payslips, statements, identity: withPerson(identityOf(locale, random), employee) };
}

/** Recomputes every part of the pay, and the year-to-date totals. */
function monthOf(first: Payslip, start: Date, index: number, how: Circumstance): Payslip {
  const month = monthsLater(start, index);
  const months = month.getUTCMonth() + 1;
  const share = how === 'mid-month-start' && index === 0 ? 0.55 : 1;
  const began = how === 'mid-month-start' ? start.getUTCMonth() + 1 : 1;
  const item = ({ name, amount }: PayItem): PayItem => {
    const full = Math.round(amount / 100) * 100;
    const now = Math.round(full * share);
    const before = months - began;
    const sofar =
      how === 'mid-month-start' && before > 0 ? Math.round(full * 0.55) + full * (before - 1) : full * before;
    return { name, amount: now, yearToDate: now + sofar };
  };
  const earnings = first.earnings.map(item);
  const deductions = first.deductions.map(item);
  if (how === 'bonus' && index === 1) earnings.push({ name: '13.', amount: 120_000, yearToDate: 120_000 });
  if (how === 'bonus' && index === 2) earnings.push({ name: '13.', amount: 0, yearToDate: 120_000 });
  const [gross, deducted] = [sum(earnings), sum(deductions)];
  const payday = how === 'paid-next-month' ? daysLater(monthsLater(month, 1), 1) : daysLater(month, 26);
  return { ...first, month, payday, earnings, gross, deductions, deducted, net: gross - deducted };
}

interface Setting {
  locale: Locale;
  start: Date;
  how: Circumstance;
  random: Random;
  account: string;
}

function statementsOf({ locale, start, how, random, account }: Setting, payslips: readonly Payslip[]): Statement[] {
  let opening = random.integer(80_000, 900_000);
  const base = statementOf(locale, random, 9);
  return payslips.flatMap((_, index) => {
    const from = monthsLater(start, index);
    const to = daysLater(monthsLater(start, index + 1), -1);
    const other = statementOf(locale, random, random.integer(9, 24));
    const spending = other.movements.filter(({ text }) => text[0] !== spendingOf(locale.tag).salary);
    const moved = spending.map((movement) => onDay(movement, daysLater(from, (movement.date.getUTCDate() - 1) % 28)));
    const salaries = how === 'two-accounts' ? [] : payslips.flatMap((payslip) => creditOf(payslip, how, random));
    const movements = [...moved, ...salaries.filter(({ date }) => date >= from && date <= to)].sort(
      (one, two) => one.date.getTime() - two.date.getTime(),
    );
    let balance = opening;
    const booked = movements.map((movement) => {
      balance += movement.amount;
      return { ...movement, balance };
    });
    const number = `${from.getUTCMonth() + 1}/${from.getUTCFullYear()}`;
    const holder = holderOf(payslips, how, base.holder);
    const own = {
      ...base,
      holder,
      account,
      number,
      from,
      to,
      opening,
      closing: balance,
      movements: booked,
      pending: [],
    };
    opening = balance;
    return how === 'gap' && index === 1 ? [] : [own];
  });
}

function onDay(movement: Movement, date: Date): Movement {
  return { ...movement, date, valueDate: date };
}

/** The booking of a month's pay, in banks' wording. */
function creditOf({ employer, net, payday, locale }: Payslip, how: Circumstance, random: Random): Movement[] {
  const { salary } = spendingOf(locale.tag);
  const trading = employer.split(' ')[0] ?? employer;
  const payer = how === 'trading-name' ? trading.toUpperCase() : how === 'no-payer' ? '' : employer;
  const amount = how === 'rounded' ? Math.round(net / 10) * 10 : net;
  const text = [`${payer} ${salary}`.trim(), `REF ${random.digits(8)}`];
  return [{ date: payday, valueDate: payday, text, amount, balance: 0 }];
}

function holderOf([payslip]: readonly Payslip[], how: Circumstance, other: Statement['holder']): Statement['holder'] {
  const employee = payslip?.employee ?? other;
  const moved = how === 'moved' ? { street: other.street, city: other.city } : {};
  const swapped = { given: `${employee.family},`, family: employee.given };
  const bare = { given: plain(employee.given), family: plain(employee.family) };
  if (how === 'joint-account')
    return { ...employee, given: `${employee.given} ${employee.family} & ${other.given}`, family: other.family };
  return { ...employee, ...moved, ...(how === 'other-name-order' ? swapped : how === 'without-accents' ? bare : {}) };
}

/** Names as legacy systems write them. */
function plain(name: string): string {
  return name
    .replace(/ü/g, 'ue')
    .replace(/ö/g, 'oe')
    .replace(/ä/g, 'ae')
    .replace(/ł/g, 'l')
    .replace(/Ł/g, 'L')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toUpperCase();
}

function withPerson(identity: Identity, person: Payslip['employee']): Identity {
  return { ...identity, person };
}

function monthsLater(date: Date, months: number): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
}

function sum(items: readonly PayItem[]): number {
  return items.reduce((total, { amount }) => total + amount, 0);
}
