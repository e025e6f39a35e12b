import { randomUUID, randomUUIDv7 } from 'node:crypto';

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

/** A `webhook-id`: globally unique, and stable over the attempts of one delivery. */
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

export function newIdAt(prefix: TimedPrefix, moment: Date): string {
  return firstIdAt(prefix, moment) + newId().replaceAll('-', '').slice(MOMENT_DIGITS);
}

/** Sorts before every id of this time or later, and after those of earlier times. */
export function firstIdAt(prefix: TimedPrefix, moment: Date): string {
  return prefix + Math.max(0, moment.getTime()).toString(16).padStart(MOMENT_DIGITS, '0');
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
