import { areOtherNames, areOtherValues, isName, kindOf } from '../diff/values.ts';
import { phraseOf, type Word } from '../text/words.ts';
import type { Shown } from './pages.ts';

/** A value that people see and programs read differently. */
export interface ReadOtherwise {
  page: number;
  shown: Word;
  read: string;
}

/** Values and names that programs replace by other ones: their marked content has a text of its own (ISO 32000-1, 14.9.4). */
export function readOtherwise(shown: readonly Shown[]): ReadOtherwise[] {
  const groups = Map.groupBy(
    shown.filter(({ actual }) => actual !== undefined),
    ({ actual }) => actual?.by,
  );
  return [...groups.values()].flatMap((group) => {
    const [first, ...others] = group.flatMap(({ words }) => words);
    const read = group[0]?.actual?.text ?? '';
    if (first === undefined) return [];
    const word = phraseOf(first, ...others);
    return isOther(word.text, read) ? [{ page: group[0]?.page ?? 1, shown: word, read }] : [];
  });
}

function isOther(shown: string, read: string): boolean {
  const kind = kindOf(shown);
  if (kind !== 'text') return kind !== 'number' && areOtherValues(shown, read);
  return isName(shown) && isName(read) && areOtherNames(shown, read);
}
