/**
 * Whether both databases and every UTF-8 reader can hold the text: no NUL (which Postgres refuses) and no half of a
 * surrogate pair (which UTF-8 cannot express).
 */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
