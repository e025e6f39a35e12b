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
const partsUpTo = (limit: number) =>
  bounded(limit, express.raw({ type: 'multipart/form-data', limit, inflate: false }));

const readParts = partsUpTo(MAX_LONG_FORM_BYTES);

/** Parses forms into which people paste tables, or for which they choose a file with one: its field is the text of the file. */
export const readLongForm: RequestHandler = (req, res, next) => {
  if (!req.is('multipart/form-data')) return readPasted(req, res, next);
  readParts(req, res, (fault) => {
    if (fault !== undefined) return next(fault);
    takeParts(req, async (fields, name, file) => fields.append(name, tableText(await file.bytes()))).then(
      () => next(),
      next,
    );
  });
};

const files = new WeakMap<Request, Map<string, Uint8Array>>();

/** Parses forms with a file. @param bytes the file's limit */
export function readFileForm(bytes: number): RequestHandler {
  const read = partsUpTo(bytes + MAX_FORM_BYTES);
  return (req, res, next) => {
    if (!req.is('multipart/form-data')) return readForm(req, res, next);
    read(req, res, (fault) => {
      if (fault !== undefined) return next(fault);
      const found = new Map<string, Uint8Array>();
      files.set(req, found);
      takeParts(req, async (_, name, file) => void found.set(name, await file.bytes())).then(() => next(), next);
    });
  };
}

/** A file of a form; undefined when none was chosen. */
export function fileOf(req: Request, name: string): Uint8Array | undefined {
  const file = files.get(req)?.get(name);
  return file && file.length > 0 ? file : undefined;
}

/** Leaves the fields as the request's body. @throws ValidationError */
async function takeParts(
  req: Request,
  takeFile: (fields: URLSearchParams, name: string, file: Blob) => Promise<void>,
): Promise<void> {
  const headers = { 'content-type': req.get('content-type') ?? '' };
  const parts = await new Response(req.body, { headers }).formData().catch(() => {
    throw new ValidationError([], 'The form cannot be read: it ends early or is malformed.');
  });
  const fields = new URLSearchParams();
  for (const [name, value] of parts)
    if (typeof value === 'string') fields.append(name, value);
    else await takeFile(fields, name, value);
  req.body = fields.toString();
}

/** The fields of a form; empty when the body has another type. */
export function formOf({ body }: Request): URLSearchParams {
  return new URLSearchParams(typeof body === 'string' ? body : '');
}
