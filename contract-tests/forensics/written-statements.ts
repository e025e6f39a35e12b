import type { Page } from '../../forensics/model.ts';
import { type Written, writtenPages } from './written-pages.ts';

/** A booking with the balance after it, in cents. */
export interface Booked {
  day: string;
  text: string;
  cents: number;
  balance: number;
}

const OPENING = 150_000;

/** Thirty bookings, one of them a salary, whose balances come out. */
export function bookings(count = 30): Booked[] {
  let balance = OPENING;
  return Array.from({ length: count }, (_, index) => {
    const cents = index === 12 ? 250_000 : -(1_013 + ((index * 7_919) % 9_001));
    balance += cents;
    return {
      day: `${String((index % 28) + 1).padStart(2, '0')}.03.2024`,
      text: `Kartenzahlung ${index}`,
      cents,
      balance,
    };
  });
}

export type Format = (cents: number) => string;

export const german: Format = (cents) => grouped(cents, '.', ',');
export const english: Format = (cents) => grouped(cents, ',', '.');
export const french: Format = (cents) => grouped(cents, '\u202f', ',');
export const swiss: Format = (cents) => grouped(cents, "'", '.');
export const plain: Format = (cents) => grouped(cents, '', ',');
export const trailing: Format = (cents) => `${german(Math.abs(cents))}${cents < 0 ? '-' : ''}`;
export const marked: Format = (cents) => `${german(Math.abs(cents))} ${cents < 0 ? 'S' : 'H'}`;

function grouped(cents: number, group: string, decimal: string): string {
  const units = String(Math.floor(Math.abs(cents) / 100)).replace(/\B(?=(?:\d{3})+$)/g, group);
  return `${cents < 0 ? '-' : ''}${units}${decimal}${String(Math.abs(cents) % 100).padStart(2, '0')}`;
}

/** Day, text, amount and running balance, under a heading. */
export function runningList(rows: readonly Booked[], format: Format = german): Written[] {
  const heading = [
    { text: 'Datum', left: 40 },
    { text: 'Betrag', right: 400 },
    { text: 'Saldo', right: 520 },
  ];
  return [heading, ...rows.map((row) => rowOf(row, format))];
}

export function rowOf({ day, text, cents, balance }: Booked, format: Format = german): Written {
  return [
    { text: day, left: 40 },
    { text, left: 110 },
    { text: format(cents), right: 400 },
    { text: format(balance), right: 520 },
  ];
}

/** Debits and credits in columns of their own, without signs. */
export function columnsList(rows: readonly Booked[], format: Format = german): Written[] {
  return rows.map(({ day, text, cents, balance }) => [
    { text: day, left: 40 },
    { text, left: 110 },
    { text: format(Math.abs(cents)), right: cents < 0 ? 350 : 430 },
    { text: format(balance), right: 520 },
  ]);
}

/** Opening and closing balance, and no balance in between. */
export function balancedList(rows: readonly Booked[], closing = rows.at(-1)?.balance ?? 0): Written[] {
  return [
    [
      { text: 'Alter Kontostand', left: 40 },
      { text: marked(OPENING), right: 520 },
    ],
    ...rows.map(({ day, text, cents }) => [
      { text: day, left: 40 },
      { text, left: 110 },
      { text: marked(cents), right: 520 },
    ]),
    [
      { text: 'Neuer Kontostand', left: 40 },
      { text: marked(closing), right: 520 },
    ],
  ];
}

/** What was paid in and out altogether, above the bookings and their balances. */
export function summary(
  rows: readonly Booked[],
  changes: Partial<Record<'in' | 'out' | 'closing', number>> = {},
): Written[] {
  const sum = (sign: number) =>
    rows.reduce((total, { cents }) => total + (Math.sign(cents) === sign ? Math.abs(cents) : 0), 0);
  const line = (label: string, cents: number): Written => [
    { text: label, left: 40 },
    { text: english(cents), right: 300 },
  ];
  return [
    line('Opening balance', OPENING),
    line('Total credits', changes.in ?? sum(1)),
    line('Total debits', changes.out ?? sum(-1)),
    line('Closing balance', changes.closing ?? rows.at(-1)?.balance ?? 0),
  ];
}

export function changed(rows: readonly Booked[], index: number, change: Partial<Booked>): Booked[] {
  return rows.map((row, place) => (place === index ? { ...row, ...change } : row));
}

export function onePage(rows: readonly Written[]): Page[] {
  return writtenPages(rows);
}
