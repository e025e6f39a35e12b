import { REFERENCE } from './addresses.ts';

/**
 * What a page may load and call, as a Content-Security-Policy: the files beside it, and nothing else. Scalar sets styles
 * from its script, and the reference alone calls the API.
 * @param own the sources of the site's own files
 */
export function contentPolicy(path: string, tryItAddress: string, own = "'self'"): string {
  const isReference = path === REFERENCE;
  return [
    "default-src 'none'",
    `script-src ${own}`,
    `style-src ${own}${isReference ? " 'unsafe-inline'" : ''}`,
    `img-src ${own}`,
    ...(isReference ? [`connect-src ${URL.parse(tryItAddress)?.origin ?? "'self'"}`] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
