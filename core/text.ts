/**
 * Whether both databases and every UTF-8 reader can hold the text: no NUL (which Postgres refuses) and no half of a
 * surrogate pair (which UTF-8 cannot express).
 */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Format characters, which change what is read. Not the joiners, which emoji and whole scripts need. */
const FORMAT = /(?![\u200c\u200d])\p{Cf}/gu;

/** Text from elsewhere as one line in which every character is what it looks like. */
export function oneLine(text: string): string {
  return text
    .replace(FORMAT, '')
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
}

/** Not longer than so many characters as people count them: what is cut ends in an ellipsis. */
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
