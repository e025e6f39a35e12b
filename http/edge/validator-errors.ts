import { BadRequest } from 'express-openapi-validator/dist/framework/types.js';
import type { FieldError } from '../../core/errors.ts';

/** One broken item of a long list is enough to see; the answer must not outgrow the request. */
const MOST_FIELD_ERRORS = 20;

/** The request validator's findings as field errors, or undefined when the error is not one of the validator's. */
export function fieldErrorsOf(error: unknown): FieldError[] | undefined {
  if (!(error instanceof BadRequest)) return undefined;
  return error.errors
    .slice(0, MOST_FIELD_ERRORS)
    .map(({ path, message }) => ({ field: dottedPath(path), message: plainMessage(message) }));
}

/** `/body/tenants/0/email` names the field `tenants.0.email`; the body as a whole is `body`. */
function dottedPath(path: string): string {
  return path
    .replace(/^\/?(body|query|params|headers)\//, '')
    .replace(/^\//, '')
    .replaceAll('/', '.');
}

function plainMessage(message: string): string {
  if (message.startsWith('must have required property')) return 'is required.';
  if (message === 'must NOT have additional properties') return 'is not a field of this request.';
  return `${message}.`;
}

/** A fault of the request that Express or a body parser found: an error with a status of 4xx. */
export function isRequestFault(error: unknown): error is Error {
  return error instanceof Error && 'status' in error && Number(error.status) >= 400 && Number(error.status) < 500;
}
