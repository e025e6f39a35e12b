import { readFileSync } from 'node:fs';
import { type Language, locales } from './languages.ts';
import type english from './report/en.json';
import { type Catalogue, Texts } from './texts.ts';

/** The texts of reports about applications, in the languages that have them; English elsewhere. */
export type ReportMessage = keyof typeof english;
export type ReportTexts = Texts<ReportMessage>;

/** The font of the file has no Arabic letters, and the file is written from left to right. */
export const reportLanguages = ['en', 'es', 'de', 'fr', 'ca', 'pt'] as const satisfies Language[];

const loaded = new Map<Language, ReportTexts>();

/** The file is read on first use. */
export function reportTextsOf(language: Language): ReportTexts {
  const tag = reportLanguages.find((known) => known === language) ?? 'en';
  const known = loaded.get(tag);
  if (known) return known;
  const texts = new Texts(reportCatalogueOf(tag), tag, locales[tag]);
  loaded.set(tag, texts);
  return texts;
}

export function reportCatalogueOf(language: (typeof reportLanguages)[number]): Catalogue<ReportMessage> {
  return JSON.parse(readFileSync(new URL(`report/${language}.json`, import.meta.url), 'utf8'));
}
