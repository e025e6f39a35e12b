import express, { type Request } from 'express';
import { bounded } from './bounded-body.ts';

/** Form submissions are short. */
const FORM_LIMIT_BYTES = 8 * 1024;

/** Parses the forms of pages. */
export const readForm = bounded(
  FORM_LIMIT_BYTES,
  express.text({ type: 'application/x-www-form-urlencoded', limit: FORM_LIMIT_BYTES }),
);

/** The fields of a form; empty when the body has another type. */
export function formOf({ body }: Request): URLSearchParams {
  return new URLSearchParams(typeof body === 'string' ? body : '');
}
