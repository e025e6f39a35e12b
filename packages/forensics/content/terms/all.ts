import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { nl } from './nl.ts';
import type { PayTerms } from './pay-terms.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';
import { sv } from './sv.ts';

const LANGUAGES: readonly PayTerms[] = [en, de, fr, es, it, pt, nl, pl, sv];

/** Matches the names of a total in any language, in folded text. */
export function payTerm(kind: keyof PayTerms): RegExp {
  return new RegExp(`\\b(?:${LANGUAGES.flatMap((terms) => terms[kind]).join('|')})\\b`);
}
