import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { BrokenSeal, SEAL_HEAD_BYTES, startSealing, startUnsealing } from './sealing.ts';

/** 256 random bits as text that needs no escaping anywhere. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * What is stored instead of a client secret. A plain digest is enough: the secret holds 256 random bits, so there is
 * nothing to guess and no need of a slow function.
 */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
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
export function seal(plain: Uint8Array, key: Uint8Array): Buffer {
  const sealing = startSealing(key);
  const body = sealing.update(plain);
  return Buffer.concat([sealing.finish(), body]);
}

/** @throws BrokenSeal */
export function unseal(sealed: Uint8Array, key: Uint8Array): Buffer {
  try {
    return decipher(sealed, key);
  } catch (cause) {
    throw new BrokenSeal(cause);
  }
}

function decipher(sealed: Uint8Array, key: Uint8Array): Buffer {
  const opened = startUnsealing(sealed.subarray(0, SEAL_HEAD_BYTES), key);
  return Buffer.concat([opened.update(sealed.subarray(SEAL_HEAD_BYTES)), opened.final()]);
}

/** `seal` for a column of text. */
export function sealText(plain: string, key: Uint8Array): string {
  return seal(Buffer.from(plain), key).toString('base64');
}

export function unsealText(sealed: string, key: Uint8Array): string {
  return unseal(Buffer.from(sealed, 'base64'), key).toString();
}

/** The kinds of hosted flow that a link can open. */
export type FlowKind = 'kyc' | 'eid';

/**
 * The unguessable part of a hosted page's address: the flow's id and a code over it. Nothing of it is stored, and asking
 * again for a live flow gives the same link.
 */
export function flowToken(kind: FlowKind, id: string, key: Uint8Array): string {
  return `${id}.${createHmac('sha256', key).update(`${kind}:${id}`).digest('base64url')}`;
}

/** The flow's id, or undefined when the token was not made by `flowToken` with this key. */
export function flowIdFromToken(kind: FlowKind, token: string, key: Uint8Array): string | undefined {
  const id = token.split('.', 1)[0] ?? '';
  return equalInConstantTime(flowToken(kind, id, key), token) ? id : undefined;
}
