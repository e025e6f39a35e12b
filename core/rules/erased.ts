/** What stands where somebody's name or address stood. */
const ERASED = '[erased]';

const SHORTEST_WORD = 3;

/** What the addresses of those who were erased are like, as a pattern of SQL. */
export const NOBODY = 'erased-%@erased.invalid';

/** The address that a participant has who was erased: nobody's, and never the same twice. */
export function erasedEmail(random: string): string {
  return NOBODY.replace('%', random);
}

/**
 * A text of others without somebody's addresses, names, and the words of their names. Whole words only: who is called Al leaves
 * Calle de Alcalá alone. A word may stand for something else there; it goes all the same.
 */
export function withoutPerson(
  text: string,
  person: { emails: readonly string[]; names: readonly string[] },
  instead = ERASED,
): string {
  const words = person.names.flatMap((name) => [name, ...name.split(/[\s,.-]+/u).filter(isLong)]);
  const spelled = [...person.emails, ...words].flatMap((word) => [word.normalize('NFC'), word.normalize('NFD')]);
  const wanted = [...new Set([...person.emails, ...words, ...spelled])].filter((word) => word.trim() !== '');
  if (wanted.length === 0) return text;
  // The longest first, so that of a whole name nothing is left.
  const longestFirst = wanted.sort((a, b) => b.length - a.length).map(escaped);
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])(?:${longestFirst.join('|')})(?![\\p{L}\\p{N}])`, 'giu'), instead);
}

function escaped(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

function isLong(word: string): boolean {
  return Array.from(word).length >= SHORTEST_WORD;
}
