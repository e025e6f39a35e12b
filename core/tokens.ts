import type { KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';

/** Product document 5.3 and 8: one hour. */
export const TOKEN_LIFETIME_SECONDS = 3600;

/**
 * An access token for an API key. Its times carry fractions of a second (RFC 7519, NumericDate), so that it lives for
 * exactly one hour.
 */
export function issueToken(apiKeyId: string, key: KeyObject, now: Date): string {
  const issuedAt = now.getTime() / 1000;
  const claims = { sub: apiKeyId, iat: issuedAt, exp: issuedAt + TOKEN_LIFETIME_SECONDS };
  return jwt.sign(claims, key, { algorithm: 'HS256' });
}

/** The API key's id, or undefined when the token is not ours, was changed or has expired. */
export function verifyToken(token: string, key: KeyObject, now: Date): string | undefined {
  try {
    const claims = jwt.verify(token, key, { algorithms: ['HS256'], clockTimestamp: now.getTime() / 1000 });
    return typeof claims === 'object' && typeof claims.exp === 'number' ? claims.sub : undefined;
  } catch (error) {
    // A payload that is not JSON is thrown as it comes from the parser.
    if (error instanceof jwt.JsonWebTokenError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
