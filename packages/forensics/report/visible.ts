const LONGEST = 400;

/**
 * Text out of a document as it may be shown: control and format characters, which could let a terminal or a page show what is
 * not there, are written out (`\u{1b}`), and what is very long is cut.
 */
export function visible(text: string, longest = LONGEST): string {
  const kept = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return kept
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
