import { datesIn } from '../dates.ts';
import type { WordLine } from '../words.ts';

/** Whether a line begins with a date, as the rows of a statement do. */
export function isDatedRow(line: WordLine): boolean {
  const [first] = datesIn(line.text.slice(0, 40));
  return first !== undefined && first.start <= 6;
}
