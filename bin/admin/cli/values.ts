import { InvalidArgumentError, Option } from 'commander';
import { isStorableText } from '../../../core/text.ts';
import { DAY_MS, durationMs } from '../../../core/time.ts';

/** Readers of typed values. Each throws InvalidArgumentError, which commander reports as a usage error. */

export function parseText(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  if (!isStorableText(text)) throw new InvalidArgumentError('It must not contain NUL or a lone surrogate.');
  return text;
}

export function parseAmount(text: string): number {
  const amount = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || amount === 0 || !Number.isFinite(amount))
    throw new InvalidArgumentError('Give a number above 0 with a decimal point, such as 1450.50.');
  return amount;
}

const MAX_OVERLAP_MS = 90 * DAY_MS;

/** In milliseconds. */
export function parseOverlap(text: string): number {
  const overlap = text === '0' ? 0 : durationMs(text);
  if (!(overlap <= MAX_OVERLAP_MS))
    throw new InvalidArgumentError('Give a duration such as 30m, 24h or 7d, up to 90d, or 0.');
  return overlap;
}

const MOMENT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

/** A date, meaning its beginning in UTC, or a moment with an offset. Rejects dates that the calendar does not have. */
export function parseMoment(text: string): Date {
  const moment = new Date(text);
  const date = text.slice(0, 10);
  const exists = !Number.isNaN(moment.getTime()) && new Date(date).toISOString().startsWith(date);
  if (!MOMENT.test(text) || !exists)
    throw new InvalidArgumentError('Give a date such as 2027-01-31 or a moment such as 2027-01-31T12:00:00Z.');
  return moment;
}

const MAX_DISTANCE_MS = 3650 * DAY_MS;

/** A moment, or a duration from `now`. */
export function parseComing(text: string): (now: Date) => Date {
  const distanceMs = durationMs(text);
  if (distanceMs <= MAX_DISTANCE_MS) return (now) => new Date(now.getTime() + distanceMs);
  if (!MOMENT.test(text))
    throw new InvalidArgumentError(
      'Give a moment such as 2027-01-31T12:00:00Z or a duration such as 12h or 90d, up to 3650d.',
    );
  const moment = parseMoment(text);
  return () => moment;
}

const MAX_LIST_LENGTH = 1000;
const DEFAULT_LIMIT = 50;

/** How many rows a list shows. */
export function limitOption(): Option {
  return new Option('--limit <n>', `how many to list, up to ${MAX_LIST_LENGTH}`)
    .argParser(parseLimit)
    .default(DEFAULT_LIMIT);
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (!/^\d{1,4}$/.test(text) || limit < 1 || limit > MAX_LIST_LENGTH)
    throw new InvalidArgumentError(`Give a whole number from 1 to ${MAX_LIST_LENGTH}.`);
  return limit;
}

const DEFAULT_OVERLAP = '24h';

/** How long a former secret remains valid. */
export function overlapOption(description: string): Option {
  return new Option('--overlap <duration>', `${description}, such as 30m, 24h or 7d; 0 ends it at once`)
    .argParser(parseOverlap)
    .default(parseOverlap(DEFAULT_OVERLAP), DEFAULT_OVERLAP);
}
