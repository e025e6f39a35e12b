import { datesIn } from '../dates.ts';
import type { WordLine } from '../words.ts';

/** A row of a statement begins with its date. */
export function isDatedRow(line: WordLine): boolean {
  const [first] = datesIn(line.text.slice(0, 40));
  return first !== undefined && first.start <= 6;
}
