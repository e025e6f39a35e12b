import { type WrongWeekday, wrongWeekdays } from '../../content/weekdays.ts';
import { boxWithin, type WordLine } from '../../content/words.ts';
import type { Finding, Rule } from '../../rule.ts';
import { verdictOnLines } from '../on-text.ts';

/**
 * Weekdays beside dates.
 *
 * How: compares a weekday directly before a date with a year, or in brackets after it, with the calendar. Programs compute both; people who
 * change a date forget the weekday. If a date or an abbreviation is ambiguous, one reading that fits is enough.
 *
 * Known false positives: letters typed by hand. In OCR text a wrong digit may be a misreading, so the finding is context only.
 *
 * Source: the Gregorian calendar.
 */
export const weekdays: Rule = {
  name: 'weekdays',
  version: 1,
  title: 'Weekdays of dates',
  strength: 'medium',
  family: 'content',
  appliesTo: ['pdf', 'jpeg', 'png'],
  run: (document) => verdictOnLines(document, find),
};

const ENGLISH = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

function find(lines: readonly WordLine[]): Finding[] {
  return lines.flatMap((line) => wrongWeekdays(line.text).map((wrong) => findingOf(wrong, line)));
}

function findingOf({ text, start, end, expected }: WrongWeekday, line: WordLine): Finding {
  const day = ENGLISH[expected] ?? '';
  return {
    message: `“${text}” on page ${line.page}: that date is a ${day}.`,
    evidence: [{ page: line.page, box: boxWithin(line, start, end), before: day, after: text }],
  };
}
