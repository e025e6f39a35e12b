import type { Request } from 'express';

/** More than any page of the service has. */
const MAX_SEGMENTS = 32;

/**
 * A path of the service relative to the request's, so that it works behind a proxy with a path prefix.
 * @param path without a leading slash
 */
export function hostedAddress(req: Request, path: string): string {
  const depth = askedPath(req).split('/').length - 1;
  return `${'../'.repeat(depth) || './'}${path}`;
}

export function askedPath({ originalUrl }: Request): string {
  const [path = ''] = originalUrl.split('?', 1);
  return path.slice('/'.length);
}

/** Browsers do; programs get the JSON envelope. */
export function wantsHtml(req: Request): boolean {
  return req.accepts(['application/json', 'text/html']) === 'text/html';
}

/** Whether a page may be at a path: a page's links climb once per segment, so that a path of slashes alone would make a page of megabytes. */
export function isPagePath(path: string): boolean {
  let segments = 0;
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
    if (++segments > MAX_SEGMENTS) return false;
  return true;
}
