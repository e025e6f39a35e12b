import { firstIdAt, ID_PREFIX, momentOfId, type TimedPrefix } from '../ids.ts';
import { DAY_MS } from '../time.ts';

/** The span of time that one partition holds: a calendar month, or a week that starts on Monday, in UTC. */
export type SpanWidth = 'week' | 'month';

export type Kept = 'payloads' | 'records';

/** A table that Postgres partitions by its key, which begins with a time: docs/decisions/0051. */
export interface PartitionedTable {
  table: 'audit_entries' | 'deliveries' | 'delivery_attempts' | 'event_bodies' | 'events';
  /** The first column of the primary key. */
  key: 'id' | 'delivery_id' | 'sequence';
  /** The prefix of its ids; undefined where the key is a number that begins with the month. */
  prefix: TimedPrefix | undefined;
  width: SpanWidth;
  /** What is kept for as long: payloads, or records of events. Undefined: until an operator takes it out. */
  kept: Kept | undefined;
  /** Its partition of the same span is dropped first. */
  after?: 'deliveries';
  /** Conditions, each with an index, under which a row must stay in its partition. `?` is the time before which rows may go. */
  keepConditions: readonly string[];
  /** A column that is unique in each partition; across them, only the key is. */
  unique?: 'position';
}

export const partitionedTables: readonly PartitionedTable[] = [
  {
    table: 'deliveries',
    key: 'id',
    prefix: ID_PREFIX.delivery,
    width: 'month',
    kept: 'records',
    keepConditions: ["status = 'pending' and created_at <> ?", 'created_at >= ?'],
  },
  {
    table: 'delivery_attempts',
    key: 'delivery_id',
    prefix: ID_PREFIX.delivery,
    width: 'month',
    kept: 'records',
    after: 'deliveries',
    keepConditions: [],
  },
  { table: 'event_bodies', key: 'id', prefix: ID_PREFIX.event, width: 'week', kept: 'payloads', keepConditions: [] },
  {
    table: 'events',
    key: 'id',
    prefix: ID_PREFIX.event,
    width: 'month',
    kept: 'records',
    after: 'deliveries',
    keepConditions: ['created_at >= ?'],
  },
  {
    table: 'audit_entries',
    key: 'sequence',
    prefix: undefined,
    width: 'month',
    kept: undefined,
    keepConditions: [],
    unique: 'position',
  },
];

const MAX_MS: Record<SpanWidth, number> = { week: 7 * DAY_MS, month: 31 * DAY_MS };

/** The start of the span that contains a given time. */
export function spanStart(width: SpanWidth, moment: Date): Date {
  const [year, month, day] = [moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate()];
  if (width === 'month') return new Date(Date.UTC(year, month));
  const daysSinceMonday = (moment.getUTCDay() + 6) % 7;
  return new Date(Date.UTC(year, month, day - daysSinceMonday));
}

/** The end of the span that contains a given time. */
export function spanEnd(width: SpanWidth, moment: Date): Date {
  return spanStart(width, new Date(spanStart(width, moment).getTime() + MAX_MS[width]));
}

/** Whether dropping whole partitions is worth the wait: data kept for less than two spans is deleted row by row, to the hour. */
export function isDroppedWhole({ width }: PartitionedTable, days: number): boolean {
  return days * DAY_MS >= 2 * MAX_MS[width];
}

/** The partition for rows older than all spans, including ids of earlier versions. */
export function nameBefore(table: string): string {
  return `${table}_before`;
}

/** The partition for spans that were dropped: nearly empty, unless a clock is wrong. */
export function nameBetween(table: string): string {
  return `${table}_between`;
}

/** The partition for rows newer than all spans: nearly empty, unless no worker created partitions, or a clock is wrong. */
export function nameLater(table: string): string {
  return `${table}_later`;
}

export function nameFrom(table: string, start: Date): string {
  return `${table}_from_${start.toISOString().slice(0, 10).replaceAll('-', '')}`;
}

/** The bound of a partition: a number, or a quoted id. */
export function boundAt({ prefix }: Pick<PartitionedTable, 'prefix'>, moment: Date): string {
  return prefix === undefined ? String(firstNumberAt(moment)) : `'${firstIdAt(prefix, moment)}'`;
}

/** More than a table receives in a month. The numbers of the year 9999 are still exact in JavaScript. */
const NUMBERS_PER_MONTH = 10_000_000_000;
const MONTHS_PER_YEAR = 12;

/** The first number of a month: its count since the year 0, followed by ten digits. */
export function firstNumberAt(moment: Date): number {
  return (moment.getUTCFullYear() * MONTHS_PER_YEAR + moment.getUTCMonth()) * NUMBERS_PER_MONTH;
}

function monthOfNumber(text: string): Date | undefined {
  const months = Number(text) / NUMBERS_PER_MONTH;
  if (!/^\d+$/.test(text) || !Number.isInteger(months)) return undefined;
  return new Date(Date.UTC(Math.floor(months / MONTHS_PER_YEAR), months % MONTHS_PER_YEAR));
}

/** Parses `pg_get_expr(relpartbound)`. @returns undefined for an open bound */
export function readBounds({ prefix }: Pick<PartitionedTable, 'prefix'>, text: string): (Date | undefined)[] {
  const [, ...ends] = /^FOR VALUES FROM \((\S+?)(?:, \w+)?\) TO \((\S+?)(?:, \w+)?\)$/.exec(text) ?? [];
  const bounds = ends.map((end) => end.replaceAll("'", ''));
  return bounds.map((bound) => (prefix === undefined ? monthOfNumber(bound) : momentOfId(prefix, bound)));
}
