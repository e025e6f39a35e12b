import { stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import { hashSecret, matchesHash, randomSecret } from '../../core/secrets/secrets.ts';
import { secretCookie } from '../edge/cookies.ts';

const NAME = 'console';

/** Every visitor has a token in a cookie; the database also stores the digest of a session's token. */
export function tokenOf(req: Request): string | undefined {
  return secretCookie(req, NAME);
}

/** Gives an anonymous visitor a token, so that the sign-in form is protected, too. */
export function tokenOfVisitor(req: Request, res: Response, isSecure: boolean): string {
  const known = tokenOf(req);
  if (known !== undefined) return known;
  const token = randomSecret();
  setToken(res, token, isSecure);
  return token;
}

/** A session cookie; the database decides how long a session lasts. */
export function setToken(res: Response, token: string, isSecure: boolean): void {
  const limits = { httpOnly: true, sameSite: 'strict', path: '/console', secure: isSecure } as const;
  res.append('Set-Cookie', stringifySetCookie({ name: NAME, value: token, ...limits }));
}

/** The value of the hidden field in our forms. It reveals nothing about the token. */
export function csrfOf(token: string): string {
  return hashSecret(`csrf ${token}`);
}

/** Compares in constant time. */
export function isCsrfOf(token: string, given: string | null): boolean {
  return matchesHash(`csrf ${token}`, given ?? '');
}
