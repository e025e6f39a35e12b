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

/** Untrusted text for a log: printable ASCII; everything else and the backslash as `\uXXXX`. @param maxLength UTF-16 units before escaping */
export function escaped(text: string, maxLength: number): string {
  const asEscape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.slice(0, maxLength).replace(/[^\x20-\x5b\x5d-\x7e]/g, asEscape) + (text.length > maxLength ? '...' : '');
}

/** Truncates to a number of grapheme clusters, with an ellipsis. */
export function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const characters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  return characters.length <= maxLength
    ? text
    : `${characters
        .slice(0, maxLength - 1)
        .join('')
        .trimEnd()}…`;
}

/** The joints of an address: dots, colons, at signs, their fullwidth forms, and the second of two slashes. */
const JOINTS = /[.:@。．｡：＠](?=\S)|\/(?=\/)/gu;

/**
 * Untrusted text in which mail clients find no address to turn into a link: a hair space follows each joint. Invisible characters would not
 * do, because browsers drop them from an address, and a space ends one.
 */
export function unlinked(text: string): string {
  return text.replace(JOINTS, '$&\u200a');
}

/** Wraps text to a number of columns, between words; longer words stay whole. @param widthOf for text with wide characters */
export function wrapped(
  text: string,
  columns: number,
  widthOf: (text: string) => number = ({ length }) => length,
): string[] {
  if (widthOf(text) <= columns) return [text];
  const lines: string[] = [];
  for (const word of text.split(/ (?=\S)/)) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(`${last} ${word}`) <= columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => line.replace(/(?<! ) +$/, ''));
}

/** Ends a text with a full stop, unless it already ends as a sentence. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
