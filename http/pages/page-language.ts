import { parseCookie } from 'cookie';
import type { Request } from 'express';
import { languages, readLanguage } from '../../core/texts/languages.ts';
import { type Texts, textsOf } from '../../core/texts/texts.ts';
import { askedLanguage, LANGUAGE } from './views/addresses.ts';

/** The texts for a request: in the language of its address, of the cookie, or of the browser's preference, in this order. */
export function textsFor(req: Request): Texts {
  const accepted = readLanguage(req.acceptsLanguages(...languages) || '');
  return textsOf(askedLanguage(req) ?? keptLanguage(req) ?? accepted ?? languages[0]);
}

/**
 * Keeps the language before a person leaves for a provider, which returns to a separate address. The cookie's path is this address's
 * folder.
 */
export function keepLanguage(req: Request): void {
  const language = askedLanguage(req);
  if (language) req.res?.append('Set-Cookie', `${LANGUAGE}=${language}; HttpOnly; SameSite=Lax`);
}

function keptLanguage(req: Request) {
  return readLanguage(parseCookie(req.get('Cookie') ?? '')[LANGUAGE] ?? '');
}
