import { ValidationError } from '../../core/errors.ts';
import { DAY_MS, isoAfter } from '../../core/time.ts';

/** Readers of query parameters and form fields. Each throws ValidationError. */

export const PAGE_ROWS = 25;
export const MAX_TEXT_LENGTH = 500;

/** A trimmed text from the query; undefined when it is empty. */
export function textIn(values: URLSearchParams, name: string): string | undefined {
  const text = values.get(name)?.trim() ?? '';
  if (text.length > MAX_TEXT_LENGTH)
    throw new ValidationError([], `${name}: must have at most ${MAX_TEXT_LENGTH} characters.`);
  return text || undefined;
}

/** Below the root of the office. */
const PLACE = /^[\w-]+(?:\/[\w-]+)*(?:\?[\w=&.%-]*)?$/;

/** A page of the office, relative to its root, that opens after a sign-in; empty for the first page, and for any other address. */
export function placeIn(form: URLSearchParams, name: 'opens' | 'at' = 'opens'): string {
  const place = form.get(name)?.trim() ?? '';
  return place.length <= MAX_TEXT_LENGTH && PLACE.test(place) ? place : '';
}

export function oneIn<Allowed extends string>(
  values: URLSearchParams,
  name: string,
  allowed: readonly Allowed[],
): Allowed | undefined {
  const text = textIn(values, name);
  if (text === undefined) return undefined;
  const found = allowed.find((one) => one === text);
  if (!found) throw new ValidationError([], `${name}: must be one of ${allowed.join(', ')}.`);
  return found;
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** A day, such as `2026-03-31`. */
export function dayIn(values: URLSearchParams, name: string): string | undefined {
  const text = textIn(values, name);
  if (text === undefined) return undefined;
  if (!DAY.test(text) || Number.isNaN(Date.parse(text))) throw new ValidationError([], `${name}: must be a day.`);
  return text;
}

/** The position before everything of later days, or the given one if it is further back. @param day the last day of the list */
export function positionUntil(
  day: string | undefined,
  position: { createdAt: string; id: string } | undefined,
): { createdAt: string; id: string } | undefined {
  if (day === undefined) return position;
  const end = { createdAt: isoAfter(new Date(day), DAY_MS), id: '' };
  return position && position.createdAt < end.createdAt ? position : end;
}

const POSITION = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_([\w-]{1,64})$/;

/** The row after which a page of a list begins. */
export function positionIn(values: URLSearchParams): { createdAt: string; id: string } | undefined {
  const text = textIn(values, 'before');
  if (text === undefined) return undefined;
  const [, createdAt, id] = POSITION.exec(text) ?? [];
  if (createdAt === undefined || id === undefined)
    throw new ValidationError([], 'before: must come from a link to older rows.');
  return { createdAt, id };
}

export function positionText(row: { createdAt: string; id: string } | undefined): string | undefined {
  return row && `${row.createdAt}_${row.id}`;
}

/** A page of rows and the position of the next page. One row more than shown was read. */
export function pageOf<Row extends { created_at: string; id: string }>(found: readonly Row[]) {
  const rows = found.slice(0, PAGE_ROWS);
  const last = found.length > PAGE_ROWS ? rows.at(-1) : undefined;
  return { rows, next: last && `${last.created_at}_${last.id}` };
}
