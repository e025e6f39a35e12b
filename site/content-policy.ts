import { REFERENCE } from './addresses.ts';
import { SANDBOX } from './sandbox-console.ts';

/**
 * The Content-Security-Policy of a page: only the files beside it. Scalar sets styles from its script, and only the reference and
 * the page of the sandbox call the API.
 * @param own the sources of the site's own files
 */
export function contentPolicy(path: string, tryItAddress: string | undefined, own = "'self'"): string {
  const isReference = path === REFERENCE;
  return [
    "default-src 'none'",
    `script-src ${own}`,
    `style-src ${own}${isReference ? " 'unsafe-inline'" : ''}`,
    `img-src ${own}`,
    ...(isReference || path === SANDBOX ? [`connect-src ${URL.parse(tryItAddress ?? '')?.origin ?? "'self'"}`] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
