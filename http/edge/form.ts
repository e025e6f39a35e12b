import express, { type Request } from 'express';
import { bounded } from './bounded-body.ts';

/** Form submissions are short. */
const MAX_FORM_BYTES = 8 * 1024;

/** Parses the forms of pages. */
export const readForm = bounded(
  MAX_FORM_BYTES,
  express.text({ type: 'application/x-www-form-urlencoded', limit: MAX_FORM_BYTES }),
);

/** The fields of a form; empty when the body has another type. */
export function formOf({ body }: Request): URLSearchParams {
  return new URLSearchParams(typeof body === 'string' ? body : '');
}
