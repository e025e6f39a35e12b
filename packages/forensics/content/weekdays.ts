import { type Day, datesIn } from './dates.ts';
import { folded } from './labels.ts';

/**
 * Names of weekdays without accents, from Sunday (0) on, in English, German, Spanish, French, Italian, Dutch, Portuguese and Polish.
 * Source: Unicode CLDR, calendar "gregorian", days.
 */
const NAMES: readonly string[] = [
  'sunday sonntag domingo dimanche domenica zondag niedziela',
  'monday montag lunes lundi lunedi maandag segunda-feira poniedzialek',
  'tuesday dienstag martes mardi martedi dinsdag terca-feira wtorek',
  'wednesday mittwoch miercoles mercredi mercoledi woensdag quarta-feira sroda',
  'thursday donnerstag jueves jeudi giovedi donderdag quinta-feira czwartek',
  'friday freitag viernes vendredi venerdi vrijdag sexta-feira piatek',
  'saturday samstag sonnabend sabado samedi sabato zaterdag sobota',
];
/** The same, abbreviated. Languages share some: Dutch "di" is Tuesday, French "di" is Sunday. */
const SHORT: readonly string[] = [
  'sun so dom dim di zo niedz',
  'mon mo lun lu ma seg pon',
  'tue tues di mar ma ter wt',
  'wed mi mie mer me wo qua sr',
  'thu thur thurs do jue jeu je gio qui czw',
  'fri fr vie ven ve vr sex',
  'sat sa sab sam za so sob',
];
const NAMED = weekdaysOf(NAMES);
const ABBREVIATED = weekdaysOf(SHORT);

/** A name elsewhere than at the beginning of a cell or after one of these may be a person's or a shop's. */
const NAME_BEFORE =
  /(?:^|\t|[,:;(] ?|\b(?:on|am|vom|zum|el|le|il|op|dal|od|w|na) )(\p{L}{4,13}(?:-feira)?),? (?:(?:den|dem|the|le|el|dia|dnia) )?$/iu;
/** Only at the beginning of a line, because company forms and provinces are written alike. */
const SHORT_BEFORE = /^(\p{L}\p{Ll}{1,4})\.?,?[ \t]$/u;
const AFTER = /^ ?\((\p{L}{2,13}(?:-feira)?)\.?\)/u;
/** In characters: how far to search on each side of a date. */
const REACH = 40;
/** Older dates are dates of birth, which follow names. */
const FIRST_YEAR = 2000;

/** A weekday beside a date that falls on another one. */
export interface WrongWeekday {
  /** The weekday and the date as printed. */
  text: string;
  start: number;
  end: number;
  /** From Sunday (0): the date's weekday, by its first reading. */
  expected: number;
}

/** Weekdays that do not match the date with a year beside them, in any reading of either. */
export function wrongWeekdays(text: string): { wrong: WrongWeekday[]; compared: number } {
  let compared = 0;
  const wrong = datesIn(text).flatMap((date) => {
    const days = date.readings.flatMap((day) => weekdayOf(day) ?? []);
    const [expected] = days;
    const named = weekdayBeside(text, date);
    if (expected === undefined || named === undefined) return [];
    compared++;
    if (days.some((day) => named.days.has(day))) return [];
    const [start, end] = [Math.min(named.start, date.start), Math.max(named.end, date.end)];
    return [{ text: text.slice(start, end), start, end, expected }];
  });
  return { wrong, compared };
}

function weekdayBeside(text: string, { start, end }: { start: number; end: number }) {
  const from = Math.max(0, start - REACH);
  const before = text.slice(from, start);
  const after = text.slice(end, end + REACH);
  return (
    named(NAME_BEFORE.exec(before), NAMED, from) ??
    (from === 0 ? named(SHORT_BEFORE.exec(before), ABBREVIATED, 0) : undefined) ??
    named(AFTER.exec(after), NAMED, end) ??
    named(AFTER.exec(after), ABBREVIATED, end)
  );
}

function named(match: RegExpExecArray | null, names: Map<string, ReadonlySet<number>>, offset: number) {
  const name = match?.[1];
  const days = name === undefined ? undefined : names.get(folded(name));
  if (match === null || name === undefined || days === undefined) return undefined;
  const start = offset + match.index + match[0].indexOf(name);
  return { days, start, end: offset + match.index + match[0].length };
}

function weekdayOf({ year, month, day }: Day): number | undefined {
  return year === undefined || year < FIRST_YEAR ? undefined : new Date(Date.UTC(year, month - 1, day)).getUTCDay();
}

function weekdaysOf(lists: readonly string[]): Map<string, ReadonlySet<number>> {
  const each = lists.flatMap((names, day) => names.split(' ').map((name) => ({ name, day })));
  const grouped = Map.groupBy(each, ({ name }) => name);
  return new Map([...grouped].map(([name, all]) => [name, new Set(all.map(({ day }) => day))]));
}
