import { createHmac } from 'node:crypto';
import { type ChainHead, headText, readHead } from '../rules/audit-chain.ts';
import { type KeyRing, keysOf } from './key-ring.ts';

/** A head with its seal, as it is kept. The seal is an HMAC with an encryption key, which the database does not hold. */
export function sealedHead(head: ChainHead, { current }: Pick<KeyRing, 'current'>): string {
  return `${headText(head)}:${createHmac('sha256', current)
    .update(`audit head:${headText(head)}`)
    .digest('hex')}`;
}

/** @returns undefined when no key in the ring made the seal */
export function openSealedHead(text: string, ring: KeyRing): ChainHead | undefined {
  const head = readHead(text.slice(0, text.lastIndexOf(':')));
  return head && keysOf(ring).some((current) => sealedHead(head, { current }) === text) ? head : undefined;
}
