import { createHmac } from 'node:crypto';
import { type KeyRing, keysOf } from './key-ring.ts';

/** The head of a log with its seal behind it: an HMAC with an encryption key, which the database does not hold. */
export function sealedHead(head: string, { current }: Pick<KeyRing, 'current'>): string {
  return `${head}:${createHmac('sha256', current).update(`audit head:${head}`).digest('hex')}`;
}

/** @returns undefined when no key in the ring made the seal */
export function openSealedHead(text: string, ring: KeyRing): string | undefined {
  const head = text.slice(0, text.lastIndexOf(':'));
  return keysOf(ring).some((current) => sealedHead(head, { current }) === text) ? head : undefined;
}
