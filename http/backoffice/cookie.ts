import { stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import { hashSecret, matchesHash, randomSecret } from '../../core/secrets/secrets.ts';
import { secretCookie } from '../edge/cookies.ts';
import type { Office } from './office.ts';

/** The cookie of an office. */
export type OfficeCookie = Office<never>['cookie'];

/** `__Host-` binds a cookie to this host, over https only, so that no other host of the domain can set it. */
export function hostCookie(name: string, isSecure: boolean): OfficeCookie {
  return isSecure ? { name: `__Host-${name}`, path: '/', isSecure } : { name, path: `/${name}`, isSecure };
}

/** Every visitor has a token in a cookie; the database also stores the digest of a session's token. */
export function tokenOf(req: Request, { name }: OfficeCookie): string | undefined {
  return secretCookie(req, name);
}

/** Gives an anonymous visitor a token, so that the sign-in form is protected, too. */
export function tokenOfVisitor(req: Request, res: Response, cookie: OfficeCookie): string {
  const known = tokenOf(req, cookie);
  if (known !== undefined) return known;
  const token = randomSecret();
  setToken(res, token, cookie);
  return token;
}

/** A session cookie; the database decides how long a session lasts. */
export function setToken(res: Response, token: string, { name, path, isSecure }: OfficeCookie): void {
  const limits = { httpOnly: true, sameSite: 'strict', path, secure: isSecure } as const;
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
