import { parseCookie } from 'cookie';
import type { Request } from 'express';

/** A secret as `randomSecret` makes it. */
const SECRET = /^[\w-]{43}$/;

/**
 * The secret that a browser returns in one of our cookies. A browser may send several cookies of a name (of a parent domain, or another
 * path), and programs between quote or truncate them: what is no secret of ours does not hide the one that is.
 */
export function secretCookie(req: Request, name: string): string | undefined {
  return (req.get('Cookie') ?? '')
    .split(';')
    .map((pair) => parseCookie(pair)[name]?.replace(/^"(.*)"$/, '$1'))
    .find((value) => value !== undefined && SECRET.test(value));
}
