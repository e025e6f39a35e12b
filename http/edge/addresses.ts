import type { Request } from 'express';

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
