import type { Request } from 'express';
import { unstorable, ValidationError } from '../../core/errors.ts';
import { isStorableText } from '../../core/text.ts';

/** More than any form or address of a page has. */
export const MAX_FIELDS = 200;

/** The query of a page's address: repeated fields stay repeated. @throws ValidationError */
export function askedQuery({ originalUrl }: Pick<Request, 'originalUrl'>): URLSearchParams {
  return fieldsIn(new URL(originalUrl, 'http://localhost').search);
}

/** The fields of a query or a form. @throws ValidationError for too many of them, and for text that no row can hold */
export function fieldsIn(encoded: string): URLSearchParams {
  if (encoded.split('&', MAX_FIELDS + 1).length > MAX_FIELDS) throw tooManyFields();
  const fields = new URLSearchParams(encoded);
  for (const [name, value] of fields) checkField(name, value);
  return fields;
}

/** @throws ValidationError for text that no row can hold */
export function checkField(name: string, value: string): void {
  if (!isStorableText(name)) throw unstorable('name of a field');
  if (!isStorableText(value)) throw unstorable(name);
}

export function tooManyFields(): ValidationError {
  return new ValidationError([], `A form or an address has at most ${MAX_FIELDS} fields.`);
}
