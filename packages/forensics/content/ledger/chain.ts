import type { Amount } from '../amounts.ts';
import { columnsOf } from './columns.ts';
import { isDatedRow } from './rows.ts';
import { type Balance, type Row, rowsOf, type Span, spansOf, type Way } from './spans.ts';

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
  from: Balance;
  to: Balance;
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
/** The penalty for bookings in other rows than their balance. Like the next ones, it decides between readings with as many matches. */
const OTHER_ROWS = 0.005;
/** The penalty for a balance that is negative without a minus, and for a credit: accounts have more debits. */
const UNLIKELY = 1e-6;
/** The highest penalty for the size of a mismatch. */
const MISS = 1e-7;
/** The penalty for a column. */
const COLUMN = 1e-9;
const SAMPLE = 60;
/** When almost nothing matches in a sample, the rest is not examined. */
const MIN_SAMPLE_SHARE = 0.1;
/** In cents: amounts in a foreign currency may be rounded. */
export const TOLERANCE = 2;
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

/** The scores of the best readings up to a balance: of those where it is as printed, and of those where it is negative without a minus. */
type Scores = readonly [printed: number, negated: number];

function scoreOf(spans: readonly Span[], terms: readonly Term[], way: Way, least: number): number {
  return Math.max(...(scoresOf(spans, terms, way, least).at(-1) ?? [-Infinity]));
}

/**
 * The scores up to each balance, from top to bottom. Prefers more matching steps, fewer mismatches and fewer unexplained amounts, about in
 * this order. A mismatch weighs less if the columns have an amount for it, because a column whose only amount does not fit is still part of
 * the table.
 *
 * @param least there are none if the last cannot reach it
 */
function scoresOf(spans: readonly Span[], terms: readonly Term[], way: Way, least: number): Scores[] {
  let score = -COLUMN * terms.length - (way.rows === 'own' ? 0 : OTHER_ROWS);
  // If either sign is accepted, a wrong one goes unnoticed, so this reading wins only if the printed signs explain less.
  if (terms[0]?.sign === 'either') score -= 0.5;
  const scores: Scores[] = [];
  let last: Balance | undefined;
  let left = spans.length;
  for (const span of spans) {
    // A step adds at most 1. The margin covers rounding.
    if (score + left-- < least - 0.001) return [];
    // Those of a sample are apart.
    if (span.above !== last) scores.push([score, span.above.isOpen ? score - UNLIKELY : -Infinity]);
    last = span.below;
    const before = scores.at(-1) ?? [score, -Infinity];
    const [printed] = bestBefore(span, terms, way, before, false);
    const [negated] = last.isOpen ? bestBefore(span, terms, way, before, true) : [-Infinity];
    scores.push([printed, negated - UNLIKELY]);
    score = Math.max(printed, negated);
  }
  return scores;
}

/** The best reading up to the lower balance of a span, by what it makes of the upper one. */
function bestBefore(
  span: Span,
  terms: readonly Term[],
  way: Way,
  [printed, negated]: Scores,
  isNegated: boolean,
): [score: number, isAboveNegated: boolean] {
  const one = printed + gainOf(span, terms, deltaOf(span, way, false, isNegated));
  if (negated === -Infinity) return [one, false];
  const other = negated + gainOf(span, terms, deltaOf(span, way, true, isNegated));
  return other > one ? [other, true] : [one, false];
}

function gainOf(span: Span, terms: readonly Term[], delta: number): number {
  const { sum, count } = sumOf(span, terms, delta);
  const error = Math.abs(delta - sum);
  const unexplained = UNCOUNTED * (span.amounts - count);
  if (error > TOLERANCE) {
    return -(count === 0 ? 0.15 : 0.1) - unexplained - (MISS * error) / (error + Math.abs(delta));
  }
  return (sum === 0 ? 0 : 1) - (sum > 0 ? UNLIKELY : 0) - unexplained;
}

function deltaOf(
  { above, below }: Span,
  { newestFirst }: Way,
  isAboveNegated: boolean,
  isBelowNegated: boolean,
): number {
  const down = (isBelowNegated ? -below.cents : below.cents) - (isAboveNegated ? -above.cents : above.cents);
  return newestFirst ? -down : down;
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
  const signed = withSigns(spans, terms, way);
  const steps = spans.map((span, index): Step => {
    const [above, below] = [signed[index] ?? span.above, signed[index + 1] ?? span.below];
    const [from, to] = way.newestFirst ? [below, above] : [above, below];
    const delta = to.cents - from.cents;
    const booked = rows.slice(span.first, span.last + 1).flatMap((row) => bookingsOf(row, terms, delta));
    const error = delta - booked.reduce((total, { cents }) => total + cents, 0);
    return { from, to, booked, error: Math.abs(error) <= TOLERANCE ? 0 : error };
  });
  return { newestFirst: way.newestFirst, steps, oldest: oldestOf(rows, steps, terms, way) };
}

/** The balances from top to bottom, negated where this makes more steps match. */
function withSigns(spans: readonly Span[], terms: readonly Term[], way: Way): Balance[] {
  const scores = scoresOf(spans, terms, way, -Infinity);
  const [printed, negated] = scores.at(-1) ?? [0, -Infinity];
  let isNegated = negated > printed;
  const found: Balance[] = [];
  for (const [index, span] of [...spans.entries()].toReversed()) {
    found.push(negatedIf(isNegated, span.below));
    [, isNegated] = bestBefore(span, terms, way, scores[index] ?? [0, -Infinity], isNegated);
  }
  return [...found, ...spans.slice(0, 1).map(({ above }) => negatedIf(isNegated, above))].toReversed();
}

function negatedIf(isNegated: boolean, balance: Balance): Balance {
  return isNegated ? { ...balance, cents: -balance.cents } : balance;
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
