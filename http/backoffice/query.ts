import { ValidationError } from '../../core/errors.ts';
import { isStorableText } from '../../core/text.ts';

/** Readers of query parameters and form fields. Each throws ValidationError. */

export const PAGE_ROWS = 25;

/** A trimmed text from the query; undefined when it is empty. */
export function textIn(values: URLSearchParams, name: string): string | undefined {
  const text = values.get(name)?.trim() ?? '';
  if (!isStorableText(text) || text.length > 500)
    throw new ValidationError([], `${name}: must be plain text of at most 500 characters.`);
  return text || undefined;
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
