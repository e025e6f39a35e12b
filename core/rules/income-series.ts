import { DAY_MS } from '../time.ts';
import { MONTH_DAYS, PER_MONTH, type Rhythm } from './pay-rhythm.ts';

/** Payments of one payer, or to one payee, brought to a figure a month. */

export interface Payment {
  day: string;
  cents: number;
}

export interface Series {
  monthlyCents: number;
  isRegular: boolean;
  rhythm?: Rhythm;
  /** `2026-03`, oldest first. */
  months: string[];
}

/** How many days apart payments of a rhythm are. */
const GAPS = [
  { rhythm: 'week', days: 7, slack: 2 },
  { rhythm: 'two-weeks', days: 14, slack: 3 },
  { rhythm: 'month', days: MONTH_DAYS, slack: 6 },
] as const;
const FOUR_WEEKS = 28;
/** On average, with a payday moved by a holiday; half a month is longer. */
const TWO_WEEKS = 14.5;
/** Days of a month between which a payday such as the last Friday moves. */
const WEEKDAY_OF_MONTH = 7;
/** A raise or a bonus now and then leaves pay regular. */
const MIN_ALIKE = 0.6;
const MAX_DEVIATION = 0.1;
const MIN_PAYMENTS = 3;
/** Less time says little about income that varies. */
const MIN_MONTHS = 3;

/**
 * Regular payments give the usual amount times their rhythm; others the mean of the period, once that is long enough.
 * @param period from its first day to its last
 * @returns undefined when the payments are too few for a figure
 */
export function seriesOf(payments: readonly Payment[], period: { from: string; to: string }): Series | undefined {
  const ordered = merged(payments);
  const months = [...new Set(ordered.map(({ day }) => day.slice(0, 7)))];
  const usual = median(ordered.map(({ cents }) => cents));
  const alike = ordered.filter(({ cents }) => Math.abs(cents - usual) <= MAX_DEVIATION * Math.abs(usual));
  const rhythm = rhythmOfDays(ordered.map(({ day }) => day));
  if (rhythm && alike.length >= MIN_ALIKE * ordered.length)
    return { monthlyCents: Math.round(latestUsual(alike) * PER_MONTH[rhythm]), isRegular: true, rhythm, months };
  const length = daysBetween(period.from, period.to) / MONTH_DAYS;
  if (length < MIN_MONTHS || ordered.length < MIN_PAYMENTS) return undefined;
  const total = ordered.reduce((cents, payment) => cents + payment.cents, 0);
  return { monthlyCents: Math.round(total / length), isRegular: false, months };
}

/** Several payments of a day are one. */
function merged(payments: readonly Payment[]): Payment[] {
  const byDay = Map.groupBy(payments, ({ day }) => day);
  return [...byDay.entries()]
    .map(([day, all]) => ({ day, cents: all.reduce((cents, one) => cents + one.cents, 0) }))
    .sort((one, other) => one.day.localeCompare(other.day));
}

/** The rhythm of at least three days in order. */
export function rhythmOfDays(ordered: readonly string[]): Rhythm | undefined {
  if (ordered.length < MIN_PAYMENTS) return undefined;
  const gaps = ordered.slice(1).map((day, index) => daysBetween(ordered[index] ?? day, day));
  const usual = median(gaps);
  const found = GAPS.find(({ days, slack }) => Math.abs(usual - days) <= slack);
  if (!found) return undefined;
  const fitting = gaps.filter((gap) => Math.abs(gap - found.days) <= found.slack);
  if (fitting.length < MIN_ALIKE * gaps.length) return undefined;
  if (found.rhythm === 'month') return isEveryFourWeeks(ordered, gaps) ? 'four-weeks' : 'month';
  const mean = fitting.reduce((sum, gap) => sum + gap, 0) / fitting.length;
  return found.rhythm === 'two-weeks' && mean > TWO_WEEKS ? 'half-month' : found.rhythm;
}

/** Paydays that are four weeks apart, and move through the month, as the last Friday does not. */
function isEveryFourWeeks(ordered: readonly string[], gaps: readonly number[]): boolean {
  const days = ordered.map((day) => Number(day.slice(8)));
  const isApart = gaps.every((gap) => Math.abs(gap - FOUR_WEEKS) <= 1);
  return isApart && Math.max(...days) - Math.min(...days) > WEEKDAY_OF_MONTH;
}

/** The median of the latest three: after a raise, the new pay counts once it was seen twice. */
function latestUsual(alike: readonly Payment[]): number {
  return median(alike.slice(-3).map(({ cents }) => cents));
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : Math.round(((sorted[middle - 1] ?? upper) + upper) / 2);
}

export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}
