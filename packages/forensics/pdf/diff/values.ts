import { isCompany } from '../../content/claims/companies.ts';
import { datesIn, isoOf } from '../../content/dates.ts';
import { folded } from '../../content/labels.ts';

/** The kind of a value, as messages name it. */
type ValueKind = 'amount' | 'date' | 'IBAN' | 'number' | 'text';

const LONGEST = 120;
/** The share of a name's letters that is in its capitalized words; the rest may be in words such as “de”. */
const NAMED = 0.7;

export function kindOf(text: string): ValueKind {
  const plain = text.slice(0, LONGEST);
  if (/\b[A-Z]{2}\d{2}(?: ?[\dA-Z]{4}){2,7}/.test(plain)) return 'IBAN';
  if (/(?:^|\D)\d{1,4}([./-])\d{1,2}\1\d{2,4}(?:\D|$)/.test(plain)) return 'date';
  if (/\d[.,]\d{2}(?!\d)/.test(plain)) return 'amount';
  return /\d/.test(plain) ? 'number' : 'text';
}

/** Whether two values of one kind are surely different, and not one in two forms: dates by their days, others by their digits. */
export function areOtherValues(one: string, other: string): boolean {
  const kind = kindOf(one);
  if (kind === 'text' || kind !== kindOf(other)) return false;
  return kind === 'date' ? areOtherDates(one, other) : digitsOf(one) !== digitsOf(other);
}

function areOtherDates(one: string, other: string): boolean {
  const [own, theirs] = [one, other].map((text) => datesIn(text).map(({ readings }) => readings.map(isoOf)));
  if (own === undefined || own.length === 0 || own.length !== theirs?.length) return digitsOf(one) !== digitsOf(other);
  return own.some((days, index) => !days.some((day) => theirs[index]?.includes(day)));
}

/** Without leading zeros. */
function digitsOf(text: string): string {
  return text.replace(/\D/g, '').replace(/^0+/, '');
}

/** A value within a sentence: words in quotes, figures without, shortened if long. */
export function quoted(text: string): string {
  const short = cut(text, LONGEST);
  return kindOf(text) === 'text' || /\s/.test(short) ? `“${short}”` : short;
}

export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/** Whether a text has readable content; dots and lines mark blanks to fill in. */
export function isLegible(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/** Whether the font maps its characters to letters; otherwise they are decoded as private or unknown characters. */
export function isDecoded(text: string): boolean {
  const unknown = text.match(/[\p{Co}\p{Cn}\p{Cc}\ufffd]/gu)?.length ?? 0;
  return unknown <= 0.2 * text.length;
}

const WORD = /\p{Lu}(?:\p{Ll}{2,}|\p{Lu}{2,})/gu;

/** Whether a text that OCR read consists of several capitalized words, as names do. OCR may lose spaces. */
export function isLikeName(text: string): boolean {
  const words = text.length > LONGEST ? [] : (text.match(WORD) ?? []);
  return words.length > 1 && !/\d/.test(text) && words.join('').length > NAMED * text.replace(/\s/g, '').length;
}

/** Whether a text may be the name of a person or a company. */
export function isName(text: string): boolean {
  return isLikeName(text) || isCompany(text);
}

/** OCR misreads and loses letters: this share of the pairs of letters may differ within one name. */
const MISREAD = 0.35;
const MIN_LETTERS = 4;

/** Whether two texts are surely not two readings of one name. False for texts that are mostly not in Latin letters. */
export function areOtherNames(one: string, other: string): boolean {
  const [own, theirs] = [latinLetters(one), latinLetters(other)];
  if (own.length < MIN_LETTERS || theirs.length < MIN_LETTERS) return false;
  return !own.includes(theirs) && !theirs.includes(own) && lettersApart(own, theirs) > MISREAD;
}

function latinLetters(text: string): string {
  const letters = folded(text).replace(/[^\p{L}]/gu, '');
  const latin = letters.replace(/[^a-z]/g, '');
  return latin.length < NAMED * letters.length ? '' : latin;
}

/** The share of the longer text, by pairs of letters, that the other lacks. */
function lettersApart(one: string, other: string): number {
  const pairs = (text: string) => [...text].slice(1).map((letter, at) => `${text[at]}${letter}`);
  const left = pairs(one);
  let shared = 0;
  for (const pair of pairs(other)) {
    const at = left.indexOf(pair);
    if (at < 0) continue;
    left.splice(at, 1);
    shared++;
  }
  return 1 - shared / Math.max(1, one.length - 1, other.length - 1);
}
