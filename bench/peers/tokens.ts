import { createSecretKey } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { Data, Soon } from './data.ts';

/** Verifying a signature costs more than the rest of a read. */
const REMEMBERED = 10_000;

interface Verified {
  keyId: string;
  expiresAtMs: number;
}

/** The API key of a request, or undefined. A token's signature is verified once; its expiry and the key on each request. */
export type KeyCheck = (authorization: string | undefined) => Soon<string | undefined>;

export function createKeyCheck(data: Data): KeyCheck {
  const key = createSecretKey(Buffer.from(process.env['TOKEN_KEY'] ?? '', 'base64'));
  const known = new Map<string, Verified>();
  const verified = (token: string): Verified | undefined => {
    const seen = known.get(token);
    if (seen) return seen;
    try {
      const claims = jwt.verify(token, key, { algorithms: ['HS256'] });
      if (typeof claims === 'string' || !claims.sub || !claims.exp) return undefined;
      if (known.size >= REMEMBERED) known.clear();
      const fresh = { keyId: claims.sub, expiresAtMs: claims.exp * 1000 };
      known.set(token, fresh);
      return fresh;
    } catch {
      return undefined;
    }
  };
  return async (authorization) => {
    const token = authorization?.startsWith('Bearer ') ? verified(authorization.slice('Bearer '.length)) : undefined;
    if (!token || token.expiresAtMs <= Date.now()) return undefined;
    const row = await data.findKey(token.keyId);
    const isInForce =
      row?.revoked_at === null && (row.expires_at === null || row.expires_at > new Date().toISOString());
    return isInForce ? row.id : undefined;
  };
}
