import express, { type Request } from 'express';
import { bounded, MAX_BODY_BYTES } from './bounded-body.ts';

/** Form submissions are short. */
const MAX_FORM_BYTES = 8 * 1024;

const formsUpTo = (limit: number) => bounded(limit, express.text({ type: 'application/x-www-form-urlencoded', limit }));

/** Parses the forms of pages. */
export const readForm = formsUpTo(MAX_FORM_BYTES);

/** Parses forms into which people paste tables. */
export const readLongForm = formsUpTo(MAX_BODY_BYTES);

/** The fields of a form; empty when the body has another type. */
export function formOf({ body }: Request): URLSearchParams {
  return new URLSearchParams(typeof body === 'string' ? body : '');
}
