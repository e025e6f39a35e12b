import { createHash } from 'node:crypto';

/** The keys of everything that is sealed, 32 bytes each. */
export interface KeyRing {
  /** Seals and opens. */
  current: Uint8Array;
  /** Open what was sealed before the key was changed, or by processes that have the next key already. They never seal. */
  former: readonly Uint8Array[];
}

/** Without doubles: a former key that is the current one, or came twice, says nothing new. */
export function keyRing(current: Uint8Array, former: readonly Uint8Array[]): KeyRing {
  const isFirst = (key: Uint8Array, place: number, all: readonly Uint8Array[]) =>
    all.findIndex((other) => Buffer.compare(key, other) === 0) === place;
  return { current, former: [current, ...former].filter(isFirst).slice(1) };
}

/** The current key first: a key's place here is what it is known by. */
export function keysOf({ current, former }: KeyRing): [Uint8Array, ...Uint8Array[]] {
  return [current, ...former];
}

/** Names a key without showing it. The key is 256 random bits, so nobody finds it by trying. */
export function fingerprint(key: Uint8Array, purpose: 'encryption' | 'token' = 'encryption'): string {
  return createHash('sha256').update(`tenant-screening ${purpose} key:`).update(key).digest('hex').slice(0, 8);
}
