/** A point in time as a file states it. */
export interface StatedDate {
  /** ISO 8601, in UTC; local time without a zone if the file states none. */
  iso: string;
  /** Milliseconds since 1970; read as UTC if no zone is stated. */
  time: number;
  /** Minutes east of UTC, if stated. */
  zone?: number;
}

const DAY = 24 * 60 * 60 * 1000;
const QUARTER = 15 * 60 * 1000;

/** A date as in `D:20261031120000+01'00'` (ISO 32000-1, 7.9.4); undefined if it is not in the calendar or before 1990. */
export function readPdfDate(text: string): StatedDate | undefined {
  const found = /^\s*(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?\s*(?:([+\-Z])(?:(\d\d)'?:?(\d\d)?'?)?)?/.exec(
    text,
  );
  return found === null ? undefined : stated(found);
}

/** An XMP date as in `2026-10-31T12:00:00+01:00`; undefined if it is not in the calendar or before 1990. */
export function readXmpDate(text: string): StatedDate | undefined {
  const found =
    /^\s*(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?\s*(?:([+\-Z])(?:(\d\d):?(\d\d)?)?)?)?)?)?/.exec(
      text,
    );
  return found === null ? undefined : stated(found);
}

function stated(found: RegExpExecArray): StatedDate | undefined {
  const part = (index: number, otherwise: number) => (found[index] === undefined ? otherwise : Number(found[index]));
  const [year, month, day] = [part(1, 0), part(2, 1), part(3, 1)];
  const [hour, minute, second] = [part(4, 0), part(5, 0), part(6, 0)];
  const local = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  const isReal =
    local.getUTCMonth() === month - 1 && local.getUTCDate() === day && hour < 24 && minute < 60 && second < 61;
  if (!isReal || year < 1990) return undefined;
  const sign = found[7];
  const wall = local.toISOString().slice(0, 19);
  if (sign === undefined) return { iso: wall, time: local.getTime() };
  const zone = (sign === '-' ? -1 : 1) * (sign === 'Z' ? 0 : part(8, 0) * 60 + part(9, 0));
  if (Math.abs(zone) > 14 * 60) return { iso: wall, time: local.getTime() };
  return {
    iso: new Date(local.getTime() - zone * 60_000).toISOString().replace('.000Z', 'Z'),
    time: local.getTime() - zone * 60_000,
    zone,
  };
}

/**
 * Whether the first date is later than the second by more than common mistakes of writers: a missing or wrong zone shifts a date
 * by multiples of a quarter of an hour and less than a day, and two clocks differ by a few minutes.
 */
export function isClearlyLater(first: StatedDate, second: StatedDate): boolean {
  const difference = first.time - second.time;
  if (difference > DAY) return true;
  const fromQuarter = Math.abs(difference - Math.round(difference / QUARTER) * QUARTER);
  return difference > QUARTER && fromQuarter > 2 * 60 * 1000;
}

/** Whether two statements of one date are more than a day apart. */
export function areDaysApart(first: StatedDate, second: StatedDate): boolean {
  return Math.abs(first.time - second.time) > DAY;
}
