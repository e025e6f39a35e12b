import { createHash, randomUUID, randomUUIDv7 } from 'node:crypto';

/**
 * A public identifier: a UUID in lower case that begins with the time (RFC 9562, section 5.7), so that rows created together are adjacent
 * in an index.
 */
export function newId(): string {
  return randomUUIDv7();
}

/** An id that does not reveal when it was made, for resources that several callers see. */
export function newTimelessId(): string {
  return randomUUID();
}

/** A `webhook-id` of an event without a cause, such as a test's: globally unique. */
export function newDeliveryId(): string {
  return `msg_${newId().replaceAll('-', '')}`;
}

/**
 * The prefix of event and delivery ids once their tables are partitioned by time (docs/decisions/0051). The letter, which follows the
 * hexadecimal digits, sorts them after all earlier ids. The time of the event follows it, so that the event's rows share a partition.
 */
export const ID_PREFIX = { event: 'whe_', delivery: 'msg_t' } as const;
export type TimedPrefix = (typeof ID_PREFIX)[keyof typeof ID_PREFIX];

const MOMENT_DIGITS = 12;
const UUID_DIGITS = 32;

/**
 * The row that an event or a run comes from: a verification, a flow, a run. What follows from it has ids derived from its own, so that after a
 * restore the same event, which happens again, has the same `webhook-id`.
 */
export interface Cause {
  id: string;
  created_at: string;
}

const UUID_WITH_TIME = /^([0-9a-f]{8})-([0-9a-f]{4})-[78]/;

/** When a cause was made: by its id where that begins with a time, because a row that is made again has the same id and a later date. */
export function momentOfCause({ id, created_at }: Cause): Date {
  const [, high, low] = UUID_WITH_TIME.exec(id) ?? [];
  return high === undefined || low === undefined ? new Date(created_at) : new Date(Number.parseInt(high + low, 16));
}

/** The id of what a cause has one of: a UUID of version 8 that begins with the time of its cause. */
export function derivedId(cause: Cause, purpose: string): string {
  const time = timeDigits(momentOfCause(cause));
  const rest = digestOf(cause.id, purpose);
  return [time.slice(0, 8), time.slice(8), `8${rest.slice(0, 3)}`, `a${rest.slice(3, 6)}`, rest.slice(6, 18)].join('-');
}

/** The same with a prefix, for tables that are partitioned by time. */
export function derivedIdAt(prefix: TimedPrefix, cause: Cause, purpose: string): string {
  return firstIdAt(prefix, momentOfCause(cause)) + digestOf(cause.id, purpose).slice(0, UUID_DIGITS - MOMENT_DIGITS);
}

/** The same before these tables are partitioned. */
export function derivedDeliveryId(cause: Cause, purpose: string): string {
  return `msg_${derivedId(cause, purpose).replaceAll('-', '')}`;
}

function digestOf(...parts: string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex');
}

/** Sorts before every id of this time or later, and after those of earlier times. */
export function firstIdAt(prefix: TimedPrefix, moment: Date): string {
  return prefix + timeDigits(moment);
}

function timeDigits(moment: Date): string {
  return Math.max(0, moment.getTime()).toString(16).padStart(MOMENT_DIGITS, '0');
}

/**
 * @returns undefined for text that `firstIdAt` did not make
 */
export function momentOfId(prefix: TimedPrefix, id: string): Date | undefined {
  const digits = id.startsWith(prefix) ? id.slice(prefix.length, prefix.length + MOMENT_DIGITS) : '';
  return /^[0-9a-f]{12}$/.test(digits) ? new Date(Number.parseInt(digits, 16)) : undefined;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A UUID in lower case, as it is stored: some languages and databases write capitals (RFC 9562, section 4). Other text as it is. */
export function canonicalId(text: string): string {
  return UUID.test(text) ? text.toLowerCase() : text;
}

export function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id);
}
