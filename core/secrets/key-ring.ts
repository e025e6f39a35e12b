import { createHash } from 'node:crypto';

/** Encryption keys, 32 bytes each. */
export interface KeyRing {
  /** Encrypts and decrypts. */
  current: Uint8Array;
  /** Decrypt only: data from before a rotation, or from processes that already have the next key. */
  former: readonly Uint8Array[];
}

/** Removes duplicate keys. */
export function keyRing(current: Uint8Array, former: readonly Uint8Array[]): KeyRing {
  const isFirst = (key: Uint8Array, place: number, all: readonly Uint8Array[]) =>
    all.findIndex((other) => Buffer.compare(key, other) === 0) === place;
  return { current, former: [current, ...former].filter(isFirst).slice(1) };
}

/** The current key first. Callers refer to a key by its index here. */
export function keysOf({ current, former }: KeyRing): [Uint8Array, ...Uint8Array[]] {
  return [current, ...former];
}

/** Identifies a key without revealing it: 256 random bits cannot be found by brute force. */
export function fingerprint(key: Uint8Array, purpose: 'encryption' | 'token' = 'encryption'): string {
  return createHash('sha256').update(`tenant-screening ${purpose} key:`).update(key).digest('hex').slice(0, 8);
}
