import { cached } from '../../cached.ts';
import { datesIn } from '../dates.ts';
import type { WordLine } from '../words.ts';

/** Whether a line begins with a date, as the rows of a statement do. */
export const isDatedRow: (line: WordLine) => boolean = cached(({ text }) => {
  const [first] = datesIn(text.slice(0, 40));
  return first !== undefined && first.start <= 6;
});
