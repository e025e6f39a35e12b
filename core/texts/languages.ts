/** The languages of pages and mails, each with a catalogue beside this file. The first is the fallback. */
export const languages = ['en', 'es', 'de', 'fr', 'ca', 'pt', 'it', 'nl', 'pl', 'ar'] as const;

export type Language = (typeof languages)[number];

/** The name of each language in that language. */
export const languageNames: Record<Language, string> = {
  en: 'English',
  es: 'Español',
  de: 'Deutsch',
  fr: 'Français',
  ca: 'Català',
  pt: 'Português',
  it: 'Italiano',
  nl: 'Nederlands',
  pl: 'Polski',
  ar: 'العربية',
};

/** The locale for dates, numbers and plurals. */
export const locales: Record<Language, string> = {
  en: 'en-GB',
  es: 'es-ES',
  de: 'de-DE',
  fr: 'fr-FR',
  ca: 'ca-ES',
  pt: 'pt-PT',
  it: 'it-IT',
  nl: 'nl-NL',
  pl: 'pl-PL',
  // With the digits that forms, documents and amounts use.
  ar: 'ar-u-nu-latn',
};

/** The languages of the desk, each with a catalogue in `desk/`. The first is the fallback. */
export const deskLanguages = ['en', 'es', 'de', 'fr', 'ca', 'pt'] as const;

/** The languages that are written from the right. */
export const fromTheRight: readonly Language[] = ['ar'];

/** @param tag such as `ca` or `ca-ES` @returns undefined for a language without a catalogue */
export function readLanguage(tag: string): Language | undefined {
  const [name = ''] = tag.toLowerCase().split('-', 1);
  return languages.find((language) => language === name);
}
