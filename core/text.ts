/** Whether both databases can store the text: no NUL (Postgres refuses it) and no lone surrogate (UTF-8 cannot encode it). */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
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
