import type { KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { isStorableText } from '../text.ts';
import { TOKEN_ALGORITHM, type TokenKeys } from './token-keys.ts';

/** Product document 5.3 and 8: one hour. */
export const TOKEN_LIFETIME_SECONDS = 3600;

/** The issuer and the audience: a token that the same key signed for another purpose is refused. */
export const TOKEN_PARTIES = { iss: 'tenant-screening', aud: 'tenant-screening-api' };

/** How far the issuing process's clock may be ahead of ours. */
const CLOCK_TOLERANCE_SECONDS = 1;

/** An access token for an API key. Fractional NumericDates (RFC 7519) make it valid for exactly one hour. */
export function issueToken(apiKeyId: string, [{ id, key }]: TokenKeys, now: Date): string {
  const issuedAt = now.getTime() / 1000;
  const claims = { ...TOKEN_PARTIES, sub: apiKeyId, iat: issuedAt, exp: issuedAt + TOKEN_LIFETIME_SECONDS };
  return jwt.sign(claims, key, { algorithm: TOKEN_ALGORITHM, keyid: id });
}

/** The most clients that one process serves at a time. */
const MAX_REMEMBERED = 10_000;

interface Claims {
  apiKeyId: string;
  /** Seconds since 1970, with fractions. */
  expiresAt: number;
}

/** Returns the API key's id; undefined when the token is forged, modified or expired. */
export type TokenVerifier = (token: string, now: Date) => string | undefined;

/** Caches signature checks only: the expiry is checked on each call, and callers check that the API key is still valid. */
export function createTokenVerifier(keys: TokenKeys): TokenVerifier {
  const remembered = new Map<string, Claims>();
  return (token, now) => {
    const known = remembered.get(token);
    if (known) return known.expiresAt > now.getTime() / 1000 ? known.apiKeyId : undefined;
    const claims = verifyToken(token, keys, now);
    if (!claims) return undefined;
    if (remembered.size === MAX_REMEMBERED) remembered.clear();
    remembered.set(token, claims);
    return claims.apiKeyId;
  };
}

function verifyToken(token: string, keys: TokenKeys, now: Date): Claims | undefined {
  // Compared as a whole: an untrusted header is never parsed.
  const header = token.split('.', 1)[0];
  const signer = keys.find((key) => key.header === header);
  return signer && claimsOf(token, signer.key, now);
}

function claimsOf(token: string, key: KeyObject, now: Date): Claims | undefined {
  try {
    const moment = now.getTime() / 1000;
    const claims = jwt.verify(token, key, {
      algorithms: [TOKEN_ALGORITHM],
      issuer: TOKEN_PARTIES.iss,
      audience: TOKEN_PARTIES.aud,
      clockTimestamp: moment,
    });
    if (typeof claims !== 'object' || !livesAnHour(claims, moment) || !isText(claims.sub)) return undefined;
    return { apiKeyId: claims.sub, expiresAt: claims.exp };
  } catch (error) {
    // The library lets a SyntaxError through for a payload that is not JSON, and throws a TypeError for null.
    if ([jwt.JsonWebTokenError, SyntaxError, TypeError].some((kind) => error instanceof kind)) return undefined;
    throw error;
  }
}

/** Refuses a longer lifetime, even when correctly signed: a token from the future would live until its own hour is over. */
function livesAnHour(claims: jwt.JwtPayload, moment: number): claims is jwt.JwtPayload & { exp: number } {
  const { iat, exp } = claims;
  return (
    typeof iat === 'number' &&
    typeof exp === 'number' &&
    iat <= moment + CLOCK_TOLERANCE_SECONDS &&
    exp > iat &&
    exp <= iat + TOKEN_LIFETIME_SECONDS
  );
}

/** Claims may hold anything, whatever their type says. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && isStorableText(value);
}
