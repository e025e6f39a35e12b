import { deskLanguages, type Language } from '../../../core/texts/languages.ts';
import type { Visit } from '../route.ts';

/** The reader's language. */
export function languageOf({ t }: Pick<Visit, 't'>): Language {
  return deskLanguages.find((language) => language === t.language) ?? deskLanguages[0];
}
