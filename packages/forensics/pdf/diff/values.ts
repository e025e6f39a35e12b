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
