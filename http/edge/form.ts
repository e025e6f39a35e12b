import type { Readable } from 'node:stream';
import express, { type Request, type RequestHandler } from 'express';
import { ValidationError } from '../../core/errors.ts';
import { bodyStream } from './body-stream.ts';
import { bounded, MAX_BODY_BYTES } from './bounded-body.ts';
import { readFields } from './fields.ts';
import { readMultipart } from './multipart.ts';

/** What strangers may send. */
const MAX_FORM_BYTES = 8 * 1024;
/** A table of the size of a body: a form's encoding makes up to three bytes of one. */
const MAX_LONG_FORM_BYTES = 3 * MAX_BODY_BYTES;
/** A file that a person chose by mistake is read to its end, so that its form can be answered. */
const MAX_FILE_FORM_BYTES = 16 * 1024 * 1024;

interface Form {
  fields: URLSearchParams;
  files: ReadonlyMap<string, Uint8Array>;
  /** Why it cannot be taken. */
  fault?: ValidationError | undefined;
}

const forms = new WeakMap<Request, Form>();

/** Parses the forms of pages. */
export const readForm = taking(encodedUpTo(MAX_FORM_BYTES), encodedForm, { isAnswered: false });

/**
 * Parses a form of a person who is known already, which may be long. What cannot be taken has a `faultOf`, so that the answer is the form as it
 * was sent; a form that is too long to be read is empty.
 */
export const readOwnForm = taking(encodedUpTo(MAX_LONG_FORM_BYTES), encodedForm, { isAnswered: true });

/** The same for a form with a file. @param bytes a longer file is cut behind them, for its action to refuse */
export function readOwnFileForm(bytes: number): RequestHandler {
  const parsed = new WeakMap<Request, Form>();
  const read = bounded(MAX_FILE_FORM_BYTES, (req, _res, next) => {
    partsOf(req, bytes).then((form) => {
      parsed.set(req, form);
      next();
    }, next);
  });
  const readParts = taking(read, (req) => parsed.get(req) ?? NOTHING, { isAnswered: true });
  return (req, res, next) => (req.is('multipart/form-data') ? readParts : readOwnForm)(req, res, next);
}

const NOTHING: Form = { fields: new URLSearchParams(), files: new Map() };

function encodedUpTo(limit: number): RequestHandler {
  return bounded(limit, express.text({ type: 'application/x-www-form-urlencoded', limit }));
}

function encodedForm({ body }: Request): Form {
  return { ...readFields(typeof body === 'string' ? body : ''), files: new Map() };
}

async function partsOf(req: Request, bytes: number): Promise<Form> {
  const files = new Map<string, Uint8Array>();
  const sent = { headers: req.headers, content: bodyStream(req), files: 1, fieldBytes: MAX_LONG_FORM_BYTES };
  const fields = await readMultipart(sent, async (file) => {
    files.set(file.field, await beginningOf(file.content, bytes + 1));
  });
  return { fields, files };
}

/** Reads a file to its end. */
async function beginningOf(content: Readable, bytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of content) {
    if (length < bytes) pieces.push(piece);
    length += piece.length;
  }
  return Buffer.concat(pieces).subarray(0, bytes);
}

/** @param isAnswered whether the next handler answers a form that cannot be taken */
function taking(
  read: RequestHandler,
  formIn: (req: Request) => Form,
  { isAnswered }: { isAnswered: boolean },
): RequestHandler {
  return (req, res, next) =>
    read(req, res, (error) => {
      if (error !== undefined && !(error instanceof ValidationError)) return next(error);
      const form = error === undefined ? formIn(req) : { ...NOTHING, fault: error };
      if (form.fault && !isAnswered) return next(form.fault);
      forms.set(req, form);
      next();
    });
}

/** The fields of a form; empty when the body has another type. */
export function formOf(req: Request): URLSearchParams {
  return forms.get(req)?.fields ?? new URLSearchParams();
}

/** Why a form cannot be taken. */
export function faultOf(req: Request): ValidationError | undefined {
  return forms.get(req)?.fault;
}

/** A file of a form; undefined when none was chosen. */
export function fileOf(req: Request, name: string): Uint8Array | undefined {
  const file = forms.get(req)?.files.get(name);
  return file && file.length > 0 ? file : undefined;
}
