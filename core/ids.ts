import { randomUUID, randomUUIDv7 } from 'node:crypto';

/**
 * A public identifier: a UUID in lower case that begins with the time (RFC 9562, section 5.7), so that rows made one after the other
 * stand side by side in an index.
 */
export function newId(): string {
  return randomUUIDv7();
}

/** One that does not tell when it was made: for what several callers see. */
export function newTimelessId(): string {
  return randomUUID();
}

/** A `webhook-id`: globally unique, and stable over the attempts of one delivery. */
export function newDeliveryId(): string {
  return `msg_${newId().replaceAll('-', '')}`;
}

export function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id);
}
