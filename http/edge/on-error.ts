import type { ErrorRequestHandler, Response } from 'express';
import {
  Conflict,
  describeFields,
  type FieldError,
  MethodNotAllowed,
  NotFound,
  Unauthenticated,
  ValidationError,
} from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { fieldErrorsOf, isRequestFault } from './validator-errors.ts';
import { writeJson } from './write-json.ts';

interface Refusal {
  status: number;
  message: string;
  headers?: Record<string, string>;
  fields?: readonly FieldError[];
}

/** The only table from errors to answers. Messages of refusals are public; anything unforeseen is bland outside. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof ValidationError) return { status: 400, message: error.message, fields: error.fields };
  if (error instanceof Unauthenticated)
    return { status: 401, message: error.message, headers: { 'WWW-Authenticate': error.challenge } };
  if (error instanceof NotFound) return { status: 404, message: error.message };
  if (error instanceof MethodNotAllowed)
    return { status: 405, message: error.message, headers: { Allow: error.allow } };
  if (error instanceof Conflict) return { status: 409, message: error.message };
  const fields = fieldErrorsOf(error);
  if (fields) return { status: 400, message: describeFields(fields), fields };
  // Sizes, encodings and aborted bodies: whatever the transport calls it, section 7 calls it 400.
  if (isRequestFault(error)) return { status: 400, message: `The request cannot be read: ${error.message}.` };
  return undefined;
}

const UNFORESEEN: Refusal = { status: 500, message: 'Something went wrong on our side. Try again in a moment.' };

export function onError(log: Log): ErrorRequestHandler {
  return (error, _req, res, next) => {
    const refusal = refusalOf(error);
    if (!refusal) log.error({ err: error }, 'request failed');
    if (res.headersSent) return next(error);
    writeRefusal(res, refusal ?? UNFORESEEN);
  };
}

function writeRefusal(res: Response, { status, message, headers = {}, fields = [] }: Refusal): void {
  res.setHeaders(new Headers(headers));
  const errors = res.locals['listsFieldErrors'] && fields.length > 0 ? { errors: fields } : {};
  writeJson(res, status, { status: 'error', message, ...errors });
}
