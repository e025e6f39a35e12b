import type { Request } from 'express';
import { unstorable, ValidationError } from '../../core/errors.ts';
import { isStorableText } from '../../core/text.ts';

/** More than any form or address of a page has. */
export const MAX_FIELDS = 200;

/** The query of a page's address: repeated fields stay repeated. @throws ValidationError */
export function askedQuery({ originalUrl }: Pick<Request, 'originalUrl'>): URLSearchParams {
  const { fields, fault } = readFields(new URL(originalUrl, 'http://localhost').search);
  if (fault) throw fault;
  return fields;
}

/** The fields of a query or a form. Too many of them are a fault and not read; text that no row can hold is a fault. */
export function readFields(encoded: string): { fields: URLSearchParams; fault?: ValidationError } {
  if (encoded.split('&', MAX_FIELDS + 1).length > MAX_FIELDS)
    return { fields: new URLSearchParams(), fault: tooManyFields() };
  const fields = new URLSearchParams(encoded);
  const fault = [...fields].map(([name, value]) => faultOfField(name, value)).find((one) => one !== undefined);
  return fault ? { fields, fault } : { fields };
}

/** Text that no row can hold is one. */
export function faultOfField(name: string, value: string): ValidationError | undefined {
  if (!isStorableText(name)) return unstorable('name of a field');
  return isStorableText(value) ? undefined : unstorable(name);
}

export function tooManyFields(): ValidationError {
  return new ValidationError([], `A form or an address has at most ${MAX_FIELDS} fields.`);
}
