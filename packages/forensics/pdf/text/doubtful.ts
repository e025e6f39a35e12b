import { type Named, namesOn } from './names.ts';
import type { TextPage } from './read-pages.ts';
import type { Word } from './words.ts';

/** A font that sets more words would show that its letters are not what they claim. */
const FEW_WORDS = 12;
const MAX_NAMES = 6;

/**
 * The names whose font may claim other letters than it draws: it sets hardly anything else, or has two characters for one letter, as a font
 * made to claim any text does.
 */
export function doubtfulNames(pages: readonly TextPage[]): Named[] {
  const words = pages.flatMap(({ items }) => items);
  const byFont = Map.groupBy(words, ({ fontId }) => fontId);
  const isDoubtful = (word: Word) => {
    const own = byFont.get(word.fontId) ?? [];
    return own.length <= FEW_WORDS || hasTwoFor(word, own);
  };
  return pages.flatMap((page) => namesOn(page).filter((name) => name.words.some(isDoubtful))).slice(0, MAX_NAMES);
}

/** Whether the font draws a letter of the word in several ways. */
function hasTwoFor(word: Word, own: readonly Word[]): boolean {
  const codes = new Map<string, number>();
  const runs = [word, ...own].flatMap((one) => one.runs).filter((run) => run.fontId === word.fontId);
  for (const { text, codes: shown = [] } of runs) {
    if (shown.length !== text.length) continue;
    for (const [at, letter] of [...text].entries()) {
      const code = shown[at] ?? 0;
      if (/\p{L}/u.test(letter) && (codes.get(letter) ?? code) !== code) return true;
      codes.set(letter, code);
    }
  }
  return false;
}
