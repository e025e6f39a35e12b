import { readFileSync } from 'node:fs';
import { type Language, locales } from './languages.ts';
import type english from './report/en.json';
import { Texts } from './texts.ts';

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
  const catalogue = JSON.parse(readFileSync(new URL(`report/${tag}.json`, import.meta.url), 'utf8'));
  const texts: ReportTexts = new Texts(catalogue, tag, locales[tag]);
  loaded.set(tag, texts);
  return texts;
}
