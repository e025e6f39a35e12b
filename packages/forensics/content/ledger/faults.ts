import type { Amount } from '../amounts.ts';
import { TOLERANCE } from './chain.ts';
import type { Ledger } from './ledger.ts';

/** A sum of a statement that does not add up. */
export interface LedgerFault {
  /** A stated total or balance. */
  stated: Amount;
  /** In cents, with its sign as printed: what the other figures add up to. */
  expected: number;
  /** In cents, smallest first: by how much they differ, for each sign that the balances may have. */
  misses: readonly number[];
  what: 'paid in' | 'paid out' | 'closing balance';
  /** Whether the stated figure is wrong, or one of the bookings, or either. */
  off: 'stated' | 'booking' | 'either';
  /** Several other sums hold, so the list is complete and understood. */
  isCertain: boolean;
  /** Bookings, or the opening balance, that may have been changed, largest first, with their expected values. */
  suspects: { amount: Amount; expected: number }[];
}

const LEAST = 100;
const SUSPECTS = 5;

/** Whether every stated sum holds: opening and closing balance, and the totals of credits and debits if stated. */
export function comesOut(ledger: Ledger): boolean {
  const { credits, debits } = ledger;
  const listed = listedOf(ledger);
  const isIn = credits === undefined || near(listed.in, Math.abs(credits.cents));
  const isOut = debits === undefined || near(listed.out, Math.abs(debits.cents));
  return isIn && isOut && closes(ledger, listed.in - listed.out);
}

/** At most one fault. None if the difference equals a printed amount, which may be a row that was counted differently. */
export function ledgerFaults(ledger: Ledger, amounts: readonly Amount[]): LedgerFault[] {
  const { credits, debits } = ledger;
  const fault =
    credits === undefined || debits === undefined ? balanceFault(ledger) : totalsFault(ledger, credits, debits);
  if (fault === undefined) return [];
  const [miss = 0] = fault.misses;
  const isExplained = amounts.some(({ cents }) => [miss / 2, ...fault.misses].includes(Math.abs(cents)));
  return miss < LEAST || isExplained ? [] : [fault];
}

function totalsFault(ledger: Ledger, credits: Amount, debits: Amount): LedgerFault | undefined {
  const listed = listedOf(ledger);
  const said = { in: Math.abs(credits.cents), out: Math.abs(debits.cents) };
  const isIn = near(listed.in, said.in);
  const isOut = near(listed.out, said.out);
  const isSaid = closes(ledger, said.in - said.out);
  const isListed = closes(ledger, listed.in - listed.out);
  const side = isOut && !isIn ? 'in' : isIn && !isOut ? 'out' : undefined;
  if (side !== undefined && listed[side === 'in' ? 'out' : 'in'] > 0 && isSaid !== isListed) {
    const stated = side === 'in' ? credits : debits;
    const off = isSaid ? 'booking' : 'stated';
    const what = side === 'in' ? 'paid in' : 'paid out';
    const expected = stated.cents < 0 ? -listed[side] : listed[side];
    const tooMuch = side === 'in' ? listed.in - said.in : said.out - listed.out;
    const suspects = off === 'stated' ? [] : suspectsOf(ledger, tooMuch, [side === 'in' ? 1 : -1]);
    const misses = [Math.abs(stated.cents - expected)];
    return { stated, expected, misses, what, off, isCertain: true, suspects };
  }
  if (!isIn || !isOut || isSaid) return undefined;
  const { opening, closing, misses } = endsOf(ledger, said.in - said.out);
  const expected = opening.cents + said.in - said.out;
  const suspects = [{ amount: opening, expected: opening.cents + closing.cents - expected }];
  return { stated: closing, expected, misses, what: 'closing balance', off: 'stated', isCertain: true, suspects };
}

/** With only the two balances there is one sum, so either a booking or a balance is wrong. */
function balanceFault(ledger: Ledger): LedgerFault | undefined {
  const listed = listedOf(ledger);
  if (!ledger.isComplete || closes(ledger, listed.in - listed.out)) return undefined;
  const { opening, closing, misses } = endsOf(ledger, listed.in - listed.out);
  const expected = opening.cents + listed.in - listed.out;
  const suspects = suspectsOf(ledger, expected - closing.cents, [1, -1]);
  return { stated: closing, expected, misses, what: 'closing balance', off: 'either', isCertain: false, suspects };
}

/** Whether what was paid in less what was paid out leads from the opening to the closing balance. */
function closes(ledger: Ledger, change: number): boolean {
  return endsOf(ledger, change).misses.some((miss) => miss <= TOLERANCE);
}

/** The balances with the signs by which a change misses them by the least; without a minus beside it, a balance may be negative. */
function endsOf(ledger: Ledger, change: number): { opening: Amount; closing: Amount; misses: number[] } {
  const ends = eitherOf(ledger.opening).flatMap((opening) =>
    eitherOf(ledger.closing).map((closing) => ({
      opening,
      closing,
      miss: Math.abs(opening.cents + change - closing.cents),
    })),
  );
  ends.sort((one, other) => one.miss - other.miss);
  const { opening, closing } = ends[0] ?? ledger;
  return { opening, closing, misses: ends.map(({ miss }) => miss) };
}

function eitherOf(balance: Amount): Amount[] {
  return balance.signed ? [balance] : [balance, { ...balance, cents: -balance.cents }];
}

function listedOf({ bookings }: Ledger): { in: number; out: number } {
  const sum = (sign: number) =>
    bookings.reduce((total, { cents }) => total + (Math.sign(cents) === sign ? Math.abs(cents) : 0), 0);
  return { in: sum(1), out: sum(-1) };
}

/** @param tooMuch in cents, the excess of the bookings over what the balances allow */
function suspectsOf({ bookings }: Ledger, tooMuch: number, signs: readonly number[]): LedgerFault['suspects'] {
  return signs.flatMap((sign) =>
    bookings
      .filter(({ cents }) => Math.sign(cents) === sign && Math.sign(cents - tooMuch) === sign)
      .sort((one, other) => Math.abs(other.cents) - Math.abs(one.cents))
      .slice(0, SUSPECTS)
      // A column of debits prints them without a sign.
      .map(({ amount, cents }) => ({
        amount,
        expected: (cents - tooMuch) * (cents < 0 === amount.cents < 0 ? 1 : -1),
      })),
  );
}

function near(one: number, other: number): boolean {
  return Math.abs(one - other) <= TOLERANCE;
}
