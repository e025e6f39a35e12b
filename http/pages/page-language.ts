import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request } from 'express';
import { languages, readLanguage } from '../../core/texts/languages.ts';
import { type Texts, textsOf } from '../../core/texts/texts.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { acceptedLanguage } from '../edge/accepted-language.ts';
import { HOST_ONLY, hostCookie } from '../edge/cookies.ts';
import { askedLanguage, LANGUAGE } from './views/addresses.ts';

/** The texts for a request: in the language of its address, of the cookie, or of the browser's preference, in this order. */
export function textsFor(req: Request): Texts {
  return textsOf(askedLanguage(req) ?? keptLanguage(req) ?? acceptedLanguage(req, languages) ?? languages[0]);
}

/** Keeps the language before a person leaves for a provider, which returns to a separate address. */
export function keepLanguage(req: Request, { publicUrl }: Pick<Runtime, 'publicUrl'>): void {
  const language = askedLanguage(req);
  if (!language) return;
  const cookie = {
    ...hostCookie(LANGUAGE, publicUrl(), ''),
    value: language,
    httpOnly: true,
    sameSite: 'lax',
  } as const;
  req.res?.append('Set-Cookie', stringifySetCookie(cookie));
}

function keptLanguage(req: Request) {
  const kept = parseCookie(req.get('Cookie') ?? '');
  return readLanguage(kept[HOST_ONLY + LANGUAGE] ?? kept[LANGUAGE] ?? '');
}
