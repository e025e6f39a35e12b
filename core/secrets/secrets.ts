import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type KeyRing, keysOf } from './key-ring.ts';
import { BrokenSeal, SEAL_HEAD_BYTES, startSealing, startUnsealing } from './sealing.ts';

/** 256 random bits as text that needs no escaping anywhere. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** A client secret, which shows at a glance where it opens doors. */
export function newClientSecret(mode: 'sandbox' | 'live'): string {
  return `${mode}_${randomSecret()}`;
}

/**
 * What is stored instead of a client secret. A plain digest is enough: the secret holds 256 random bits, so there is
 * nothing to guess and no need of a slow function.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

/** Compares in constant time. */
export function matchesHash(secret: string, hash: string): boolean {
  return equalInConstantTime(hashSecret(secret), hash);
}

function equalInConstantTime(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Encrypts with AES-256-GCM. Shape: 12 bytes of nonce, 16 bytes of tag, the ciphertext. */
export function seal(plain: Uint8Array, { current }: Pick<KeyRing, 'current'>): Buffer {
  const sealing = startSealing(current);
  const body = sealing.update(plain);
  return Buffer.concat([sealing.finish(), body]);
}

/** @throws BrokenSeal when no key opens it */
function open(sealed: Uint8Array, ring: KeyRing): { plain: Buffer; openedBy: number } {
  const causes: unknown[] = [];
  for (const [openedBy, key] of keysOf(ring).entries())
    try {
      return { plain: decipher(sealed, key), openedBy };
    } catch (cause) {
      causes.push(cause);
    }
  throw new BrokenSeal(causes[0]);
}

function decipher(sealed: Uint8Array, key: Uint8Array): Buffer {
  const opened = startUnsealing(sealed.subarray(0, SEAL_HEAD_BYTES), key);
  return Buffer.concat([opened.update(sealed.subarray(SEAL_HEAD_BYTES)), opened.final()]);
}

/** `seal` for a column of text. */
export function sealText(plain: string, ring: Pick<KeyRing, 'current'>): string {
  return seal(Buffer.from(plain), ring).toString('base64');
}

/** @throws BrokenSeal when no key opens it */
export function unsealText(sealed: string, ring: KeyRing): string {
  return open(Buffer.from(sealed, 'base64'), ring).plain.toString();
}

/** The place of the key in the ring that opens a column of text; undefined when none does. */
export function textOpenedBy(sealed: string, ring: KeyRing): number | undefined {
  try {
    return open(Buffer.from(sealed, 'base64'), ring).openedBy;
  } catch (error) {
    if (error instanceof BrokenSeal) return undefined;
    throw error;
  }
}

/** The kinds of hosted flow that a link can open. */
export type FlowKind = 'kyc' | 'eid';

/**
 * The unguessable part of a hosted page's address: the flow's id and a code over it. Nothing of it is stored, and asking
 * again for a live flow gives the same link, until the key is changed.
 */
export function flowToken(kind: FlowKind, id: string, { current }: Pick<KeyRing, 'current'>): string {
  return `${id}.${createHmac('sha256', current).update(`${kind}:${id}`).digest('base64url')}`;
}

/** The flow's id, or undefined when the token was not made by `flowToken` with one of these keys. */
export function flowIdFromToken(kind: FlowKind, token: string, ring: KeyRing): string | undefined {
  const id = token.split('.', 1)[0] ?? '';
  const isMadeBy = (current: Uint8Array) => equalInConstantTime(flowToken(kind, id, { current }), token);
  return keysOf(ring).some(isMadeBy) ? id : undefined;
}
