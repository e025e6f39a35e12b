import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type KeyRing, keysOf } from './key-ring.ts';
import { BrokenSeal, keyObjectOf, SEAL_HEAD_BYTES, startSealing, startUnsealing } from './sealing.ts';

/** 256 random bits as text that never needs escaping. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** A client secret, whose prefix shows its mode. */
export function newClientSecret(mode: 'sandbox' | 'live'): string {
  return `${mode}_${randomSecret()}`;
}

/** A plain digest suffices for client secrets: 256 random bits cannot be guessed, so no slow hash is needed. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

/** Compares in constant time. */
export function matchesHash(secret: string, hash: string): boolean {
  return equalInConstantTime(hashSecret(secret), hash);
}

export function equalInConstantTime(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Encrypts with AES-256-GCM into a 12-byte nonce, a 16-byte tag and the ciphertext. */
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

/** `seal` for a text column. */
export function sealText(plain: string, ring: Pick<KeyRing, 'current'>): string {
  return seal(Buffer.from(plain), ring).toString('base64');
}

/** @throws BrokenSeal when no key opens it */
export function unsealText(sealed: string, ring: KeyRing): string {
  return open(Buffer.from(sealed, 'base64'), ring).plain.toString();
}

/** The bytes that `seal` sealed, from a text column in base64. @throws BrokenSeal */
export function unsealBytes(sealed: string, ring: KeyRing): Buffer {
  return open(Buffer.from(sealed, 'base64'), ring).plain;
}

/**
 * `unsealText` for JSON objects. Values from before migration 0023 are stored in the clear; they begin with a brace, which no sealed text
 * does.
 * @throws BrokenSeal when no key opens it
 */
export function unsealJson(stored: string, ring: KeyRing): string {
  return stored.startsWith('{') ? stored : unsealText(stored, ring);
}

/**
 * For values that their reader can do without: one that no key opens must not take the page, list or job with it. `encryption status` counts
 * such values. @returns undefined when no key opens it
 */
export function ifOpened<Value>(unseal: () => Value): Value | undefined {
  try {
    return unseal();
  } catch (error) {
    if (error instanceof BrokenSeal) return undefined;
    throw error;
  }
}

/** The index of the key in the ring that opens a text column; undefined when none does. */
export function textOpenedBy(sealed: string, ring: KeyRing): number | undefined {
  return ifOpened(() => open(Buffer.from(sealed, 'base64'), ring).openedBy);
}

/** The kinds of hosted flow. */
export type FlowKind = 'kyc' | 'eid';

/** The unguessable part of a hosted page's address: the flow's id and its HMAC. Not stored, and stable until the key is rotated. */
export function flowToken(kind: FlowKind, id: string, { current }: Pick<KeyRing, 'current'>): string {
  return `${id}.${createHmac('sha256', keyObjectOf(current)).update(`${kind}:${id}`).digest('base64url')}`;
}

/** An id and a digest. Anything else is rejected without the cost of a digest. */
const FLOW_TOKEN = /^([\w-]{1,64})\.[\w-]{43}$/;

/** The flow's id; undefined when no key in the ring made the token. */
export function flowIdFromToken(kind: FlowKind, token: string, ring: KeyRing): string | undefined {
  const id = FLOW_TOKEN.exec(token)?.[1];
  if (id === undefined) return undefined;
  const isMadeBy = (current: Uint8Array) => equalInConstantTime(flowToken(kind, id, { current }), token);
  return keysOf(ring).some(isMadeBy) ? id : undefined;
}
