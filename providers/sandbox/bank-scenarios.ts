import type { BankAccount, Booking } from '../../core/rules/bank-statement.ts';
import { DAY_MS } from '../../core/time.ts';
import { demoPay } from './demo-pay.ts';

/** What the simulated bank holds, by scenario. Only data: `bank.ts` plays it. */

export const bankScenarios = [
  'salary',
  'irregular',
  'benefits',
  'two-accounts',
  'joint',
  'other-holder',
  'overdraft',
  'no-income',
  'expired',
  'down',
] as const;
export type BankScenario = (typeof bankScenarios)[number];

export function isBankScenario(text: string | null): text is BankScenario {
  return bankScenarios.some((known) => known === text);
}

interface ScenarioAccount {
  iban: string;
  product: string;
  /** Undefined: the person. */
  holders?: (person: string) => string;
  closingCents: number;
  monthly: readonly Monthly[];
}

/** A booking of each month, or of some. */
interface Monthly {
  day: number;
  cents: (net: number, month: number) => number;
  counterparty: string;
  text: string;
  /** Absent: each month. */
  isIn?: (month: number) => boolean;
}

const EMPLOYER = 'Northern Ferries Ltd';
const CURRENT = 'ES9121000418450200051332';
const SAVINGS = 'ES7921000813610123456789';

const salary: Monthly = { day: 28, cents: (net) => net, counterparty: EMPLOYER, text: 'Salary' };
const rent: Monthly = { day: 1, cents: () => -85_000, counterparty: 'Casa Norte Lettings', text: 'Rent' };
const food: Monthly = { day: 9, cents: (_, month) => -21_340 - month * 117, counterparty: 'Mercado Sol', text: 'Card' };
const power: Monthly = { day: 5, cents: (_, month) => -6_420 - month * 53, counterparty: 'Luz y Gas', text: 'Bill' };
const loan: Monthly = { day: 3, cents: () => -18_000, counterparty: 'Credit Bank', text: 'Loan repayment' };
const living = [rent, food, power];

const invoices: Monthly[] = [4, 13, 22].map((day, index) => ({
  day,
  cents: (net, month) => Math.round(net * (0.2 + ((month * 7 + index * 5) % 9) / 10)),
  counterparty: ['Studio Berg', 'Atelier Lumen', 'Kontor Nord'][index] ?? 'Studio Berg',
  text: `Invoice ${index + 1}`,
  isIn: (month) => (month + index) % 3 !== 0,
}));

const benefit: Monthly = {
  day: 10,
  cents: () => 98_050,
  counterparty: 'Public Employment Service',
  text: 'Unemployment benefit',
};
const childBenefit: Monthly = {
  day: 12,
  cents: () => 25_000,
  counterparty: 'Family Benefits Office',
  text: 'Child benefit',
};

const current = (monthly: readonly Monthly[], rest: Partial<ScenarioAccount> = {}): ScenarioAccount => ({
  iban: CURRENT,
  product: 'Current account',
  closingCents: 184_210,
  monthly,
  ...rest,
});

const saving: Monthly = { day: 29, cents: () => 20_000, counterparty: '', text: 'Transfer to savings' };

const accounts: Record<Exclude<BankScenario, 'down'>, readonly ScenarioAccount[]> = {
  salary: [current([salary, ...living])],
  irregular: [current([...invoices, ...living])],
  benefits: [current([benefit, childBenefit, ...living])],
  'two-accounts': [
    current([salary, ...living, { ...saving, cents: () => -20_000 }]),
    { iban: SAVINGS, product: 'Savings account', closingCents: 640_000, monthly: [saving] },
  ],
  joint: [current([salary, ...living, loan], { holders: (person) => `${person} and Alex Moreno` })],
  'other-holder': [current([salary, ...living], { holders: () => 'Robin Castell' })],
  overdraft: [
    current([salary, ...living, loan, { ...loan, day: 18, cents: () => -64_000 }], { closingCents: -73_255 }),
  ],
  'no-income': [current([food, power], { closingCents: 1_420_000 })],
  expired: [current([salary, ...living])],
};

export function scenarioAccounts(scenario: BankScenario, holder: string): BankAccount[] {
  return heldBy(scenario).map(({ iban, product, holders }, index) => ({
    id: `account-${index + 1}`,
    iban,
    holder: holders ? holders(holder) : holder,
    product,
    currency: 'EUR',
  }));
}

export function scenarioBalance(scenario: BankScenario, accountId: string): number | undefined {
  return accountIn(scenario, accountId)?.closingCents;
}

/** Every booking since a day, newest first, as banks list them. */
export function scenarioBookings(
  scenario: BankScenario,
  { id, holder }: BankAccount,
  person: string,
  from: string,
  now: Date,
): Booking[] {
  const own = accountIn(scenario, id);
  const { net } = demoPay(person || holder);
  const today = now.toISOString().slice(0, 10);
  return monthsBetween(from, today)
    .flatMap(({ year, month }) =>
      (own?.monthly ?? [])
        .filter(({ isIn }) => isIn?.(month) ?? true)
        .map(({ day, cents, counterparty, text }) => ({
          day: `${year}-${two(month)}-${two(day)}`,
          cents: cents(net, month),
          counterparty: counterparty || person || holder,
          text: `${text} ${two(month)}/${year}`,
        })),
    )
    .filter(({ day }) => day >= from && day <= today)
    .sort((one, other) => other.day.localeCompare(one.day));
}

function heldBy(scenario: BankScenario): readonly ScenarioAccount[] {
  return scenario === 'down' ? [] : accounts[scenario];
}

function accountIn(scenario: BankScenario, accountId: string): ScenarioAccount | undefined {
  return heldBy(scenario)[Number(accountId.replace('account-', '')) - 1];
}

function monthsBetween(from: string, to: string): { year: number; month: number }[] {
  const months = new Set<string>();
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS)
    months.add(new Date(at).toISOString().slice(0, 7));
  return [...months].map((one) => ({ year: Number(one.slice(0, 4)), month: Number(one.slice(5)) }));
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
