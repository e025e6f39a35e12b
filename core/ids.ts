import { randomUUID } from 'node:crypto';

/** A new public identifier: a random UUID in lower case. */
export function newId(): string {
  return randomUUID();
}

/** A new `webhook-id`: stable over the attempts of one delivery, unique for ever. */
export function newDeliveryId(): string {
  return `msg_${randomUUID().replaceAll('-', '')}`;
}
