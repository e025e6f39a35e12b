const LONGEST = 400;

/**
 * Sanitizes text from a document for display: escapes control and format characters (`\u{1b}`), which could manipulate a terminal
 * or a page, and truncates long text.
 */
export function visible(text: string, longest = LONGEST): string {
  const kept = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return kept
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
