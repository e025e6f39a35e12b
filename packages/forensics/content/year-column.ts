import type { Amount } from './amounts.ts';
import { folded } from './labels.ts';
import type { WordLine } from './words.ts';

/** Headings of amounts since the beginning of the year. */
export const YEAR_TO_DATE =
  /\b(?:year to date|ytd|this year|to date|jahreswerte?|jahres(?:summe|brutto)|kumul\w*|aufgelaufen\w*|acumulad[oa]|cumuls?|progressiv[io]|cumulatie[fv]e?|narastajaco)\b/;

/** Whether an amount stands in a column of amounts since the beginning of the year. */
export function isOfYear(lines: readonly WordLine[], { line, box }: Amount): boolean {
  const at = lines.indexOf(line);
  return lines.slice(0, at).some((above) => {
    const over = above.words.filter(
      (word) =>
        word.box.x < box.x + box.width + line.fontSize && word.box.x + word.box.width > box.x - 4 * line.fontSize,
    );
    const words = folded(over.map(({ text }) => text).join(' '));
    return !/\d/.test(words) && YEAR_TO_DATE.test(words);
  });
}
