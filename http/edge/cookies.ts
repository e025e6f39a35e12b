import { parseCookie } from 'cookie';
import type { Request } from 'express';

/** The prefix of a cookie that browsers accept from this host over https, and from no other. */
export const HOST_ONLY = '__Host-';

export interface HostCookie {
  name: string;
  path: string;
  secure: boolean;
}

/**
 * A cookie that no other host of the domain can set, over https: browsers take the prefix with the path `/` only.
 * @param url at which browsers reach us
 * @param path where the cookie is needed, below the path of the URL
 */
export function hostCookie(name: string, url: string, path: string): HostCookie {
  const { protocol, pathname } = new URL(url);
  if (protocol === 'https:') return { name: HOST_ONLY + name, path: '/', secure: true };
  return { name, path: `${pathname.replace(/\/$/, '')}/${path}`, secure: false };
}

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
