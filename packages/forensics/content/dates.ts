/** A date as written in a text. */
interface WrittenDate {
  text: string;
  start: number;
  end: number;
  /** Several if day and month, or the century, are ambiguous. */
  readings: Day[];
}

export interface Day {
  year?: number;
  /** From 1. */
  month: number;
  day: number;
}

/** Beginnings of the months' names without accents, in the languages of western and central Europe. */
const MONTHS: readonly RegExp[] = [
  /^(?:jan|ene|gen|sty)/,
  /^(?:feb|fev|lut)/,
  // Does not match Tuesday or Monday: mardi, martes, martedì, maandag.
  /^(?:mar(?!di|tes|tedi)|maer|mrz|mrt|maa(?!nd))/,
  /^(?:apr|avr|abr|kwi)/,
  /^(?:may|mai|mag|mei|maj)/,
  /^(?:jun|juin|giu|cze)/,
  /^(?:jul|juil|lug|lip)/,
  /^(?:aug|aou|ago|sie)/,
  /^(?:sep|set|wrz)/,
  /^(?:oct|okt|ott|out|paz)/,
  /^(?:nov|lis)/,
  /^(?:dec|dez|dic|gru)/,
];
const NUMERIC = /(?<![\d.,/-])(\d{1,4})([./-]) ?(\d{1,2})(?:\2 ?(\d{4}|\d{2}))?(?![\d,/-]|\.\d)/g;
const DAY_FIRST =
  /(?<![\d.,])(\d{1,2})(?:st|nd|rd|th|er)?[. -]{0,2}(?:de )?(\p{L}{3,10})\.?[ -]?(?:de )?(\d{4}|'?\d{2})?(?!\d|[.,:]\d)/gu;
const MONTH_FIRST = /(?<![\p{L}])(\p{L}{3,10})\.? (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?(?!\d|[.,:/]\d)/gu;

/** Numeric dates (also without a year) and dates with a month name, in text order. */
export function datesIn(text: string): WrittenDate[] {
  if (!/\d/.test(text)) return [];
  const found = [
    ...[...text.matchAll(NUMERIC)].map((match) => dateAt(match, numericReadings(match))),
    ...[...text.matchAll(DAY_FIRST)].map((match) => dateAt(match, named(match[2], match[1], match[3]))),
    ...[...text.matchAll(MONTH_FIRST)].map((match) => dateAt(match, named(match[1], match[2], match[3]))),
  ].filter(({ readings }) => readings.length > 0);
  found.sort((left, right) => left.start - right.start || right.end - left.end);
  return found.filter((date, index) => index === 0 || date.start >= (found[index - 1]?.end ?? 0));
}

/** As in `2024-03-31`, or `03-31` without a year. */
export function isoOf({ year, month, day }: Day): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${year === undefined ? '' : `${String(year).padStart(4, '0')}-`}${two(month)}-${two(day)}`;
}

/** Whether the calendar has such a day. February 29 counts if the year is unknown. */
export function isDay({ year, month, day }: Day): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  return day <= new Date(Date.UTC(year ?? 2024, month, 0)).getUTCDate();
}

function dateAt(match: RegExpExecArray, readings: Day[]): WrittenDate {
  const text = match[0].trimEnd();
  return { text, start: match.index, end: match.index + text.length, readings: readings.filter(isDay) };
}

function numericReadings([, first = '', separator, second = '', third]: RegExpExecArray): Day[] {
  if (first.length >= 3) {
    const isYear = first.length === 4 && third?.length === 2;
    return isYear ? [{ year: Number(first), month: Number(second), day: Number(third) }] : [];
  }
  if (third === undefined && separator === '-') return [];
  const [one, two] = [Number(first), Number(second)];
  return yearsOf(third).flatMap((year) => [
    { ...year, month: two, day: one },
    ...(one === two || separator === '.' ? [] : [{ ...year, month: one, day: two }]),
  ]);
}

/** From 1; undefined unless it is a month's name or the beginning of one. */
export function monthNamed(name: string): number | undefined {
  const letters = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const month = MONTHS.findIndex((beginning) => beginning.test(letters)) + 1;
  return month === 0 ? undefined : month;
}

function named(name = '', day = '', year: string | undefined): Day[] {
  const month = monthNamed(name);
  return month === undefined ? [] : yearsOf(year).map((some) => ({ ...some, month, day: Number(day) }));
}

function yearsOf(year: string | undefined): { year?: number }[] {
  if (year === undefined) return [{}];
  const value = Number(year.replace("'", ''));
  return value >= 100 ? [{ year: value }] : [{ year: 2000 + value }, { year: 1900 + value }];
}
