import { type WrongWeekday, wrongWeekdays } from '../../content/weekdays.ts';
import { boxWithin, type WordLine } from '../../content/words.ts';
import type { Finding, Rule } from '../../rule.ts';
import { type Looked, verdictOnLines } from '../on-text.ts';

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
  version: 2,
  title: 'Weekdays of dates',
  strength: 'medium',
  family: 'content',
  substance: true,
  appliesTo: ['pdf', 'jpeg', 'png'],
  run: (document) => verdictOnLines(document, look),
};

const ENGLISH = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

function look(lines: readonly WordLine[]): Looked {
  const looked = lines.map((line) => ({ line, ...wrongWeekdays(line.text) }));
  return {
    findings: looked.flatMap(({ line, wrong }) => wrong.map((one) => findingOf(one, line))),
    compared: {
      count: looked.reduce((sum, { compared }) => sum + compared, 0),
      what: 'date with its weekday',
      many: 'dates with their weekdays',
      none: 'No date stands beside a weekday.',
    },
  };
}

function findingOf({ text, start, end, expected }: WrongWeekday, line: WordLine): Finding {
  const day = ENGLISH[expected] ?? '';
  return {
    message: `“${text}” on page ${line.page}: that date is a ${day}.`,
    evidence: [{ page: line.page, box: boxWithin(line, start, end), before: day, after: text }],
  };
}
