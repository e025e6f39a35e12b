/** Replaces an erased person's name or address. */
const ERASED = '[erased]';

const MIN_WORD_LENGTH = 3;

/** SQL pattern of the addresses of erased participants. */
export const ERASED_EMAIL_PATTERN = 'erased-%@erased.invalid';

/** A unique placeholder address for an erased participant. */
export function erasedEmail(random: string): string {
  return ERASED_EMAIL_PATTERN.replace('%', random);
}

/**
 * Redacts a person's addresses, names and the words of their names from other people's text. Matches whole words only: the name Al
 * leaves Calle de Alcalá alone. False positives are accepted.
 */
export function withoutPerson(
  text: string,
  person: { emails: readonly string[]; names: readonly string[] },
  instead = ERASED,
): string {
  const words = person.names.flatMap((name) => [
    name,
    ...name.split(/[\s,.-]+/u).filter((word) => Array.from(word).length >= MIN_WORD_LENGTH),
  ]);
  const spelled = [...person.emails, ...words].flatMap((word) => [word.normalize('NFC'), word.normalize('NFD')]);
  const wanted = [...new Set([...person.emails, ...words, ...spelled])].filter((word) => word.trim() !== '');
  if (wanted.length === 0) return text;
  // Longest first, so that no part of a full name remains.
  return text.replace(wholeWords(wanted.sort((a, b) => b.length - a.length)), instead);
}

/** Finds any of the words, in any case; the first that fits wins. */
export function wholeWords(words: readonly string[]): RegExp {
  const escaped = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
}
