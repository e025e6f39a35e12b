import { randomUUID } from 'node:crypto';

/** A public identifier: a random UUID in lower case. */
export function newId(): string {
  return randomUUID();
}

/** A `webhook-id`: globally unique, and stable over the attempts of one delivery. */
export function newDeliveryId(): string {
  return `msg_${randomUUID().replaceAll('-', '')}`;
}

export function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id);
}
