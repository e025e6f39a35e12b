import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import {
  Conflict,
  type FieldError,
  MethodNotAllowed,
  NotFound,
  Overloaded,
  RehearsedFailure,
  Unauthenticated,
  UnknownPath,
  ValidationError,
} from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { REFUSALS, tooLargeBody } from '../../core/messages.ts';
import { isOverloaded } from '../../db/connection/database-errors.ts';
import { writeJson } from './write-json.ts';

interface Refusal {
  status: number;
  message: string;
  headers?: Record<string, string>;
  fields?: readonly FieldError[];
}

const UNEXPECTED: Refusal = { status: 500, message: REFUSALS.unexpected };
/** The database had no time. Callers try again; operators read the reason in the log. */
const BUSY: Refusal = { status: 503, message: REFUSALS.busy, headers: retryAfter(1) };

/** The only table from errors to responses. Messages of refusals are public; callers learn nothing about unexpected errors. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof ValidationError) return { status: 400, message: error.message, fields: error.fields };
  if (error instanceof Unauthenticated)
    return { status: 401, message: error.message, headers: { 'WWW-Authenticate': error.challenge } };
  if (error instanceof NotFound) return { status: 404, message: error.message };
  if (error instanceof MethodNotAllowed)
    return { status: 405, message: error.message, headers: { Allow: error.allow } };
  if (error instanceof Overloaded)
    return { status: 503, message: error.message, headers: retryAfter(error.retryAfterSeconds) };
  if (error instanceof RehearsedFailure) return UNEXPECTED;
  if (error instanceof Conflict) return { status: 409, message: error.message };
  // Sizes, encodings and aborted bodies: section 7 answers 400 whatever status the body parser suggests.
  if (isRequestFault(error)) return { status: 400, message: requestFault(error) };
  return isOverloaded(error) ? BUSY : undefined;
}

function retryAfter(seconds: number): Record<string, string> {
  return { 'Retry-After': String(seconds) };
}

/** Logs the reason of a failure that is not the caller’s, which callers are not told. */
export function logFailure(log: Log, error: unknown, message: string): void {
  const refusal = refusalOf(error);
  if (refusal === undefined || refusal === BUSY) log.error({ err: error }, message);
}

/** A request fault found by Express or a body parser: an error with a 4xx status. */
function isRequestFault(error: unknown): error is Error {
  return error instanceof Error && 'status' in error && Number(error.status) >= 400 && Number(error.status) < 500;
}

/** Uses our own messages, because the messages of the packages say little. */
function requestFault(error: Error): string {
  if (error instanceof URIError) return REFUSALS.malformedPath;
  const type = 'type' in error ? error.type : undefined;
  if (type === 'entity.too.large' && 'limit' in error) return tooLargeBody(Number(error.limit));
  return type === 'encoding.unsupported' ? REFUSALS.contentEncoding : REFUSALS.brokenBody;
}

export function onError(log: Log): ErrorRequestHandler {
  return (error, _req, res, next) => {
    logFailure(log, error, 'request failed');
    if (res.headersSent) return next(error);
    writeRefusal(res, refusalOf(error) ?? UNEXPECTED);
  };
}

function writeRefusal(res: Response, { status, message, headers = {}, fields = [] }: Refusal): void {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  const errors = res.locals['listsFieldErrors'] && fields.length > 0 ? { errors: fields } : {};
  writeJson(res, status, { status: 'error', message, ...errors });
}

/** Answers 404 to requests that neither an operation nor a page handled. */
export const unknownPath: RequestHandler = () => {
  throw new UnknownPath();
};

/** Answers 404 to requests that no earlier handler handled. */
export function nowhere(resource: string): RequestHandler {
  return () => {
    throw new NotFound(resource);
  };
}

/** Refuses the methods that a path outside the contract does not have. @param allow value of the `Allow` header */
export function refuseMethods(allow: string): RequestHandler {
  return () => {
    throw new MethodNotAllowed(allow);
  };
}
