import { readFileSync } from 'node:fs';
import type english from './desk/en.json';
import { deskLanguages, type Language, locales } from './languages.ts';
import { type Catalogue, Texts } from './texts.ts';

/** The name of a message of the back office, which landlords read in six languages, and operators in English. */
export type DeskMessage = keyof typeof english;

export type DeskTexts = Texts<DeskMessage>;

const loaded = new Map<Language, DeskTexts>();

/** The file is read on first use. Without a catalogue of the language, the texts are English. */
export function deskTextsOf(wanted: Language): DeskTexts {
  const language = deskLanguages.find((one) => one === wanted) ?? deskLanguages[0];
  const known = loaded.get(language);
  if (known) return known;
  const texts = new Texts(deskCatalogueOf(language), language, locales[language]);
  loaded.set(language, texts);
  return texts;
}

export function deskCatalogueOf(language: Language): Catalogue<DeskMessage> {
  return JSON.parse(readFileSync(new URL(`desk/${language}.json`, import.meta.url), 'utf8'));
}
