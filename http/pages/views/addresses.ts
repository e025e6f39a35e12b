import type { Request } from 'express';
import { type Language, readLanguage } from '../../../core/texts/languages.ts';
import { hostedAddress } from '../../edge/addresses.ts';
import { askedQuery } from '../../edge/fields.ts';

/** The parameter of a page's address that chooses its language. */
export const LANGUAGE = 'lang';

/** The parameter with which an integrator asks for messages about the height: without it, a frame says only what the product defines. */
const HEIGHT = 'height';

/**
 * Derives a page's address from the request's, in the language that the request's address asks for. A cookie would not work: frames get
 * none.
 * @param path without a leading slash, with or without a fragment
 */
export function pageAddress(req: Request, path: string): string {
  const kept = new URLSearchParams();
  const language = askedLanguage(req);
  if (language !== undefined) kept.set(LANGUAGE, language);
  if (emitsHeight(req)) kept.set(HEIGHT, '1');
  return hostedAddress(req, kept.size === 0 ? path : path.replace(/(?=#)|$/, `?${kept}`));
}

/** Whether the embedding page wants to know the height of a framed page. */
export function emitsHeight(req: Request): boolean {
  return askedQuery(req).get(HEIGHT) === '1';
}

/** The language that the address of a page asks for. */
export function askedLanguage(req: Request): Language | undefined {
  return readLanguage(askedQuery(req).get(LANGUAGE) ?? '');
}
