/** Whether both databases can store the text: no NUL (Postgres refuses it) and no lone surrogate (UTF-8 cannot encode it). */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Undefined for text that is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Undefined for text with a malformed escape sequence. */
export function decodedUri(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Format characters can disguise text. The joiners stay: emoji and whole scripts need them. */
const FORMAT = /(?![\u200c\u200d])\p{Cf}/gu;

/** Untrusted text as one line, without format and control characters. */
export function oneLine(text: string): string {
  return text
    .replace(FORMAT, '')
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
}

/** Untrusted text for a log: printable ASCII, all else and the backslash as `\uXXXX`. @param most UTF-16 units before escaping */
export function escaped(text: string, most: number): string {
  const asEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.slice(0, most).replace(/[^\x20-\x5b\x5d-\x7e]/g, asEscape) + (text.length > most ? '...' : '');
}

/** Truncates to a number of grapheme clusters, with an ellipsis. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const characters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  return characters.length <= most
    ? text
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
}

/** What joins the parts of an address: dots, colons, at signs, also their fullwidth forms, and the second of two slashes. */
const JOINTS = /[.:@。．｡：＠](?=\S)|\/(?=\/)/gu;

/**
 * Untrusted text in which mail clients find no address to turn into a link: a hair space follows each joint. Invisible characters would not
 * do, because browsers drop them from an address, and a space ends one.
 */
export function unlinked(text: string): string {
  return text.replace(JOINTS, '$&\u200a');
}

/** Ends a text with a full stop, unless it ends as a sentence already. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
