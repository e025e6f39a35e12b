import type { Request } from 'express';
import { type Language, readLanguage } from '../../../core/texts/languages.ts';
import { hostedAddress } from '../../edge/addresses.ts';

/** The parameter of a page's address that chooses its language. */
export const LANGUAGE = 'lang';

/**
 * Derives a page's address from the request's, in the language that the request's address asks for. A cookie would not work: frames get
 * none.
 * @param path without a leading slash, with or without a fragment
 */
export function pageAddress(req: Request, path: string): string {
  const language = askedLanguage(req);
  return hostedAddress(req, language === undefined ? path : path.replace(/(?=#)|$/, `?${LANGUAGE}=${language}`));
}

/** The language that the address of a page asks for. */
export function askedLanguage(req: Request): Language | undefined {
  return readLanguage(askedQuery(req).get(LANGUAGE) ?? '');
}

/** The query as sent: repeated fields stay repeated. */
export function askedQuery({ originalUrl }: Request): URLSearchParams {
  return new URL(originalUrl, 'http://localhost').searchParams;
}
