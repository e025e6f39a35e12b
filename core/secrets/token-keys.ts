import { createSecretKey, type KeyObject } from 'node:crypto';
import { fingerprint, type KeyRing, keysOf } from './key-ring.ts';

/** The only algorithm that signs or is accepted. */
export const TOKEN_ALGORITHM = 'HS256';

/** A current or former signing key of access tokens. */
export interface TokenKey {
  /** The `kid` of its tokens. */
  id: string;
  key: KeyObject;
  /** The encoded header of its tokens. */
  header: string;
}

/** The first signs; all verify. */
export type TokenKeys = readonly [TokenKey, ...TokenKey[]];

export function tokenKeys(ring: KeyRing): TokenKeys {
  const [current, ...former] = keysOf(ring);
  return [tokenKey(current), ...former.map(tokenKey)];
}

function tokenKey(key: Uint8Array): TokenKey {
  const id = fingerprint(key, 'token');
  return { id, key: createSecretKey(key), header: encodedHeader(id) };
}

/** Byte for byte what `jwt.sign` produces. */
function encodedHeader(kid: string): string {
  return Buffer.from(JSON.stringify({ alg: TOKEN_ALGORITHM, typ: 'JWT', kid })).toString('base64url');
}
