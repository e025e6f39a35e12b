import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import express, { type Request, type RequestHandler } from 'express';
import { tableText } from '../../core/table-text.ts';
import { bounded, MAX_BODY_BYTES } from './bounded-body.ts';
import { fieldsIn } from './fields.ts';
import { readMultipart } from './multipart.ts';

/** Form submissions are short. */
const MAX_FORM_BYTES = 8 * 1024;
/** A table of the size of a body: a form's encoding makes up to three bytes of one. */
const MAX_LONG_FORM_BYTES = 3 * MAX_BODY_BYTES;

interface Form {
  fields: URLSearchParams;
  files: ReadonlyMap<string, Uint8Array>;
}

const forms = new WeakMap<Request, Form>();

/** Parses the forms of pages. */
export const readForm = formsUpTo(MAX_FORM_BYTES);

const readPasted = formsUpTo(MAX_LONG_FORM_BYTES);
const readTable = partsUpTo(MAX_LONG_FORM_BYTES);

/** Parses forms into which people paste tables, or for which they choose a file with one: its field is the text of the file. */
export const readLongForm: RequestHandler = (req, res, next) => {
  if (!req.is('multipart/form-data')) return readPasted(req, res, next);
  readTable(req, res, (fault) => {
    const form = forms.get(req);
    for (const [name, bytes] of form?.files ?? []) form?.fields.append(name, tableText(bytes));
    next(fault);
  });
};

/** Parses forms with a file. @param bytes the file's limit */
export function readFileForm(bytes: number): RequestHandler {
  const readParts = partsUpTo(bytes + MAX_FORM_BYTES);
  return (req, res, next) => (req.is('multipart/form-data') ? readParts : readForm)(req, res, next);
}

function formsUpTo(limit: number): RequestHandler {
  const read = bounded(limit, express.text({ type: 'application/x-www-form-urlencoded', limit }));
  return taking(read, async ({ body }) => ({
    fields: fieldsIn(typeof body === 'string' ? body : ''),
    files: new Map(),
  }));
}

/** A form with one file. */
function partsUpTo(limit: number): RequestHandler {
  const read = bounded(limit, express.raw({ type: 'multipart/form-data', limit, inflate: false }));
  return taking(read, async ({ body, headers }) => {
    const files = new Map<string, Uint8Array>();
    const content = Readable.from(Buffer.isBuffer(body) ? [body] : []);
    const fields = await readMultipart({ headers, content, files: 1, fieldBytes: limit }, async (file) => {
      files.set(file.field, await buffer(file.content));
    });
    return { fields, files };
  });
}

/** @param formIn throws ValidationError */
function taking(read: RequestHandler, formIn: (req: Request) => Promise<Form>): RequestHandler {
  return (req, res, next) =>
    read(req, res, (fault) => {
      if (fault !== undefined) return next(fault);
      formIn(req).then((form) => {
        forms.set(req, form);
        next();
      }, next);
    });
}

/** The fields of a form; empty when the body has another type. */
export function formOf(req: Request): URLSearchParams {
  return forms.get(req)?.fields ?? new URLSearchParams();
}

/** A file of a form; undefined when none was chosen. */
export function fileOf(req: Request, name: string): Uint8Array | undefined {
  const file = forms.get(req)?.files.get(name);
  return file && file.length > 0 ? file : undefined;
}
