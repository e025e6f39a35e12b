import { createSecretKey, type KeyObject } from 'node:crypto';
import { fingerprint, type KeyRing, keysOf } from './key-ring.ts';

/** The only one that signs or is accepted. */
export const TOKEN_ALGORITHM = 'HS256';

/** What signs access tokens, or signed them. */
export interface TokenKey {
  /** The `kid` in the header of its tokens. */
  id: string;
  key: KeyObject;
  /** How each of its tokens begins. */
  header: string;
}

/** The first signs; all verify. */
export type TokenKeys = readonly [TokenKey, ...TokenKey[]];

/** Tokens of versions that had one key began so. Any key of the ring may have signed them. */
export const HEADER_WITHOUT_KEY = encodedHeader();

export function tokenKeys(ring: KeyRing): TokenKeys {
  const [current, ...former] = keysOf(ring);
  return [tokenKey(current), ...former.map(tokenKey)];
}

function tokenKey(key: Uint8Array): TokenKey {
  const id = fingerprint(key, 'token');
  return { id, key: createSecretKey(key), header: encodedHeader(id) };
}

/** Byte for byte as `jwt.sign` writes it. */
function encodedHeader(kid?: string): string {
  return Buffer.from(JSON.stringify({ alg: TOKEN_ALGORITHM, typ: 'JWT', kid })).toString('base64url');
}
