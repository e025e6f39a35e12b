import { stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import { hashSecret, matchesHash, randomSecret } from '../../core/secrets/secrets.ts';
import { type HostCookie, secretCookie } from '../edge/cookies.ts';

/** Every visitor has a token in a cookie; the database also stores the digest of a session's token. */
export function tokenOf(req: Request, { name }: HostCookie): string | undefined {
  return secretCookie(req, name);
}

/** Gives an anonymous visitor a token, so that the sign-in form is protected, too. */
export function tokenOfVisitor(req: Request, res: Response, cookie: HostCookie): string {
  const known = tokenOf(req, cookie);
  if (known !== undefined) return known;
  const token = randomSecret();
  setToken(res, token, cookie);
  return token;
}

/** A session cookie; the database decides how long a session lasts. */
export function setToken(res: Response, token: string, { name, ...where }: HostCookie): void {
  const limits = { httpOnly: true, sameSite: 'strict', ...where } as const;
  res.append('Set-Cookie', stringifySetCookie({ name, value: token, ...limits }));
}

/** The value of the hidden field in our forms. It reveals nothing about the token. */
export function csrfOf(token: string): string {
  return hashSecret(`csrf ${token}`);
}

/** Compares in constant time. */
export function isCsrfOf(token: string, given: string | null): boolean {
  return matchesHash(`csrf ${token}`, given ?? '');
}
