import express, { type Request, type RequestHandler } from 'express';
import { ValidationError } from '../../core/errors.ts';
import { tableText } from '../../core/table-text.ts';
import { bounded, MAX_BODY_BYTES } from './bounded-body.ts';

/** Form submissions are short. */
const MAX_FORM_BYTES = 8 * 1024;
/** A table of the size of a body: a form's encoding makes up to three bytes of one. */
const MAX_LONG_FORM_BYTES = 3 * MAX_BODY_BYTES;

const formsUpTo = (limit: number) => bounded(limit, express.text({ type: 'application/x-www-form-urlencoded', limit }));

/** Parses the forms of pages. */
export const readForm = formsUpTo(MAX_FORM_BYTES);

const readPasted = formsUpTo(MAX_LONG_FORM_BYTES);
const readParts = bounded(
  MAX_LONG_FORM_BYTES,
  express.raw({ type: 'multipart/form-data', limit: MAX_LONG_FORM_BYTES, inflate: false }),
);

/** Parses forms into which people paste tables, or for which they choose a file with one: its field is the text of the file. */
export const readLongForm: RequestHandler = (req, res, next) => {
  if (!req.is('multipart/form-data')) return readPasted(req, res, next);
  readParts(req, res, (fault) => {
    if (fault !== undefined) return next(fault);
    textOfParts(req).then((text) => {
      req.body = text;
      next();
    }, next);
  });
};

/** @throws ValidationError */
async function textOfParts(req: Request): Promise<string> {
  const headers = { 'content-type': req.get('content-type') ?? '' };
  const parts = await new Response(req.body, { headers }).formData().catch(() => {
    throw new ValidationError([], 'The form cannot be read: it ends early or is malformed.');
  });
  const fields = new URLSearchParams();
  for (const [name, value] of parts)
    fields.append(name, typeof value === 'string' ? value : tableText(await value.bytes()));
  return fields.toString();
}

/** The fields of a form; empty when the body has another type. */
export function formOf({ body }: Request): URLSearchParams {
  return new URLSearchParams(typeof body === 'string' ? body : '');
}
