import type { RequestHandler } from 'express';
import type { Operation } from '../../core/contract.ts';
import { describeFields, ValidationError } from '../../core/errors.ts';
import { readBySchema } from '../../core/schema.ts';
import { sentence } from '../../core/text.ts';
import { requestOf } from './read-request.ts';

/** Creates the middleware that validates an operation's requests, once they are read. */
export type Validation = (operation: Operation) => RequestHandler[];

/** Limits the errors for a long list, so that the response does not outgrow the request. */
const MAX_FIELD_ERRORS = 20;

/** Throws a ValidationError with every fault of a request. A schema compiles on the first request, so that a start does not wait for it. */
export const validateRequests: Validation = ({ request: schema }) => [
  (req, res, next) => {
    const read = readBySchema(schema, requestOf(req, res), { maxFaults: MAX_FIELD_ERRORS });
    if ('value' in read) return next();
    throw new ValidationError(
      // The body as a whole is `body`.
      read.faults.map(({ field, message }) => ({ field: field.replace(/^\w+\./, ''), message: sentence(message) })),
    );
  },
];

/** Also refuses to send a success that the contract does not declare. */
export const validateRequestsAndResponses: Validation = (operation) => [
  ...validateRequests(operation),
  (_req, res, next) => {
    const write = res.json;
    res.json = (body) => {
      const read = readBySchema(operation.success, body);
      if ('value' in read) return write.call(res, body);
      throw new Error(`${operation.id} answers against the contract: ${describeFields(read.faults)}`);
    };
    next();
  },
];
