import type { KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { isStorableText } from './text.ts';
import { HEADER_WITHOUT_KEY, TOKEN_ALGORITHM, type TokenKeys } from './token-keys.ts';

/** Product document 5.3 and 8: one hour. */
export const TOKEN_LIFETIME_SECONDS = 3600;

/**
 * An access token for an API key. Its times carry fractions of a second (RFC 7519, NumericDate), so that it lives for
 * exactly one hour.
 */
export function issueToken(apiKeyId: string, [{ id, key }]: TokenKeys, now: Date): string {
  const issuedAt = now.getTime() / 1000;
  const claims = { sub: apiKeyId, iat: issuedAt, exp: issuedAt + TOKEN_LIFETIME_SECONDS };
  return jwt.sign(claims, key, { algorithm: TOKEN_ALGORITHM, keyid: id });
}

/** The API key's id, or undefined when the token is not ours, was changed or has expired. */
export function verifyToken(token: string, keys: TokenKeys, now: Date): string | undefined {
  // Compared whole: nothing that somebody else put into a header is ever read.
  const header = token.split('.', 1)[0];
  for (const candidate of keys) {
    if (header !== candidate.header && header !== HEADER_WITHOUT_KEY) continue;
    const apiKeyId = subjectOf(token, candidate.key, now);
    if (apiKeyId !== undefined) return apiKeyId;
  }
  return undefined;
}

function subjectOf(token: string, key: KeyObject, now: Date): string | undefined {
  try {
    const claims = jwt.verify(token, key, { algorithms: [TOKEN_ALGORITHM], clockTimestamp: now.getTime() / 1000 });
    return typeof claims === 'object' && livesAnHour(claims) && isText(claims.sub) ? claims.sub : undefined;
  } catch (error) {
    // A payload that is not JSON is thrown as it comes from the parser, and one that is null makes the library stumble.
    if ([jwt.JsonWebTokenError, SyntaxError, TypeError].some((kind) => error instanceof kind)) return undefined;
    throw error;
  }
}

/** One that is to live longer is not ours, whoever signed it. */
function livesAnHour({ iat, exp }: jwt.JwtPayload): boolean {
  return typeof iat === 'number' && typeof exp === 'number' && exp > iat && exp <= iat + TOKEN_LIFETIME_SECONDS;
}

/** Whoever signs may write anything into a claim, whatever the type says. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && isStorableText(value);
}
