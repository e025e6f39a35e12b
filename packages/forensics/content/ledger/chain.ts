import type { Amount } from '../amounts.ts';
import { columnsOf } from './columns.ts';
import { isDatedRow } from './rows.ts';
import { type Row, rowsOf, type Span, spansOf, type Way } from './spans.ts';

/** A column of balances and the amounts between them: the arithmetic of a statement. */
export interface Chain {
  newestFirst: boolean;
  /** In document order. */
  steps: Step[];
  /** The bookings that led to the oldest balance; undefined if it is unknown where they begin. */
  oldest: Booking[] | undefined;
}

export interface Step {
  /** The earlier balance in time. */
  from: Amount;
  to: Amount;
  /** The amounts booked between them. */
  booked: Booking[];
  /** In cents: the later balance minus its expected value. */
  error: number;
}

export interface Booking {
  amount: Amount;
  /** In cents, as it changes the balance. */
  cents: number;
}

type Sign = 'as written' | 'credit' | 'debit' | 'either';

interface Term {
  column: number;
  sign: Sign;
}

const COLUMNS = 8;
const ROWS = 1500;
const TERMS = 3;
/** With more columns than this, at most two are combined: a debit and a credit column. */
const FEW_COLUMNS = 5;
/** The penalty for an amount that changes no balance. */
const UNCOUNTED = 0.02;
const SAMPLE = 60;
/** When almost nothing matches in a sample, the rest is not examined. */
const MIN_SAMPLE_SHARE = 0.1;
/** In cents: amounts in a foreign currency may be rounded. */
const TOLERANCE = 2;
const WAYS: readonly Way[] = (['own', 'down to', 'down from'] as const).flatMap((rows) => [
  { rows, newestFirst: false },
  { rows, newestFirst: true },
]);

/**
 * Finds the columns of balances and amounts by arithmetic, regardless of their headings. Tries every possible column of
 * balances, columns of amounts, reading of signs, and order, and takes the combination in which most steps add up.
 */
export function chainOf(amounts: readonly Amount[]): Chain | undefined {
  const columns = columnsOf(amounts).slice(0, COLUMNS);
  const rows = rowsOf(columns).slice(0, ROWS);
  let best: { score: number; chain: () => Chain } | undefined;
  for (const balances of columns.keys()) {
    const readings = termsOf(columns.length, balances);
    for (const way of WAYS) {
      const spans = spansOf(rows, balances, way);
      const some = sampleOf(spans);
      for (const terms of spans.length < 3 ? [] : readings) {
        const least = MIN_SAMPLE_SHARE * some.length;
        if (some.length > 0 && scoreOf(some, terms, way, least) < least) continue;
        const score = scoreOf(spans, terms, way, best?.score ?? -Infinity);
        if (best !== undefined && score <= best.score) continue;
        best = { score, chain: () => chainFrom(rows, spans, terms, way) };
      }
    }
  }
  return best?.chain();
}

/** Evenly spaced spans; none if there are few enough to examine all of them. */
function sampleOf(spans: readonly Span[]): Span[] {
  const every = Math.ceil(spans.length / SAMPLE);
  return every === 1 ? [] : spans.filter((_, index) => index % every === 0);
}

function termsOf(columns: number, balances: number): Term[][] {
  const most = columns > FEW_COLUMNS ? 2 : TERMS;
  let sets: Term[][] = [[]];
  for (let column = 0; column < columns; column++) {
    if (column === balances) continue;
    const added = (['as written', 'credit', 'debit'] as const).map((sign) => ({ column, sign }));
    sets = sets.flatMap((terms) => [terms, ...(terms.length < most ? added.map((term) => [...terms, term]) : [])]);
  }
  const single = Array.from({ length: columns }, (_, column): Term[] => [{ column, sign: 'either' }]);
  return [...sets, ...single.filter(([term]) => term?.column !== balances)].filter((terms) => terms.length > 0);
}

/**
 * Prefers more matching steps, fewer mismatches and fewer unexplained amounts, about in this order. A mismatch weighs less if the columns
 * have an amount for it, because a column whose only amount does not fit is still part of the table. Ties go to the nearest miss, then to
 * bookings in the row of the balance, then to the fewest columns.
 *
 * @param least a score that cannot reach it is not computed to its end
 */
function scoreOf(spans: readonly Span[], terms: readonly Term[], way: Way, least: number): number {
  let score = -0.0001 * terms.length - (way.rows === 'own' ? 0 : 0.001);
  // If either sign is accepted, a wrong one goes unnoticed, so this reading wins only if the printed signs explain less.
  if (terms[0]?.sign === 'either') score -= 0.5;
  let missed = 0;
  let moved = 1;
  let left = spans.length;
  for (const span of spans) {
    // A step adds at most 1. The margin covers rounding.
    if (score + left-- < least - 0.001) return -Infinity;
    const delta = deltaOf(span, way);
    const { sum, count } = sumOf(span, terms, delta);
    const error = Math.abs(delta - sum);
    moved += Math.abs(delta);
    missed += error;
    score -= UNCOUNTED * (span.amounts - count);
    if (error > TOLERANCE) score -= count === 0 ? 0.15 : 0.1;
    else if (sum !== 0) score += 1;
  }
  return score - (0.01 * missed) / (missed + moved);
}

function deltaOf({ above, below }: Span, { newestFirst }: Way): number {
  return newestFirst ? above.cents - below.cents : below.cents - above.cents;
}

function sumOf({ columns }: Span, terms: readonly Term[], delta: number) {
  let sum = 0;
  let count = 0;
  for (const { column: index, sign } of terms) {
    const column = columns[index];
    if (column === undefined) continue;
    sum += sign === 'as written' ? column.sum : isDebit(sign, delta) ? -column.size : column.size;
    count += column.count;
  }
  return { sum, count };
}

function isDebit(sign: Sign, delta: number): boolean {
  return sign === 'debit' || (sign === 'either' && delta < 0);
}

function signedCents({ cents }: Amount, sign: Sign, delta: number): number {
  if (sign === 'as written') return cents;
  return isDebit(sign, delta) ? -Math.abs(cents) : Math.abs(cents);
}

function chainFrom(rows: readonly Row[], spans: readonly Span[], terms: readonly Term[], way: Way): Chain {
  const steps = spans.map((span): Step => {
    const delta = deltaOf(span, way);
    const booked = rows.slice(span.first, span.last + 1).flatMap((row) => bookingsOf(row, terms, delta));
    const error = delta - booked.reduce((total, { cents }) => total + cents, 0);
    const [from, to] = way.newestFirst ? [span.below, span.above] : [span.above, span.below];
    return { from, to, booked, error: Math.abs(error) <= TOLERANCE ? 0 : error };
  });
  return { newestFirst: way.newestFirst, steps, oldest: oldestOf(rows, steps, terms, way) };
}

function oldestOf(
  rows: readonly Row[],
  steps: readonly Step[],
  terms: readonly Term[],
  way: Way,
): Booking[] | undefined {
  const oldest = (way.newestFirst ? steps.at(-1) : steps[0])?.from.line;
  const at = rows.findIndex(({ line }) => line === oldest);
  const own = rows.slice(at, at + 1).flatMap((row) => bookingsOf(row, terms, 0));
  if (way.rows === 'own' || at < 0) return own;
  const beyond = way.newestFirst ? rows.slice(at) : rows.slice(0, at + 1);
  return beyond.some((row) => isDatedRow(row.line) && bookingsOf(row, terms, 0).length > 0) ? undefined : [];
}

function bookingsOf({ cells }: Row, terms: readonly Term[], delta: number): Booking[] {
  return terms.flatMap(({ column, sign }) => {
    const amount = cells[column];
    return amount === undefined ? [] : [{ amount, cents: signedCents(amount, sign, delta) }];
  });
}
