import { cached } from '../../cached.ts';
import { datesIn } from '../dates.ts';
import type { WordLine } from '../words.ts';

/** In characters of a line: the date of a row begins no later. */
export const DATE_BEGINS = 6;

/** Whether a line begins with a date, as the rows of a statement do. */
export const isDatedRow: (line: WordLine) => boolean = cached(({ text }) => {
  const [first] = datesIn(text.slice(0, 40));
  return first !== undefined && first.start <= DATE_BEGINS;
});
