import type { RequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';

/** The contract's validation of requests, all faults at once, and if asked for of our own answers. */
export function createValidator(apiSpec: object, validateResponses: boolean): RequestHandler[] {
  return OpenApiValidator.middleware({
    apiSpec: apiSpec as Parameters<typeof OpenApiValidator.middleware>[0]['apiSpec'],
    // http/authenticate does it, before the body is read.
    validateSecurity: false,
    validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
    validateResponses,
    // As strict as whoever checks our answers against the contract.
    ajvFormats: { mode: 'full' },
    fileUploader: false,
  });
}
