import type { RequestHandler } from 'express';
import { OpenApiValidator } from 'express-openapi-validator/dist/openapi.validator.js';
import type { Contract } from './contract.ts';

/** Kept for whatever else a process serves: what is compiled with the first requests takes longer than a start. */
const kept = new WeakMap<Contract, Map<boolean, RequestHandler[]>>();

/** The contract's validation of requests, all faults at once, and if asked for of our own answers. */
export function validatorOf(contract: Contract, validateResponses: boolean): RequestHandler[] {
  const validators = kept.get(contract) ?? new Map<boolean, RequestHandler[]>();
  const validator = validators.get(validateResponses) ?? createValidator(contract, validateResponses);
  kept.set(contract, validators.set(validateResponses, validator));
  return validator;
}

function createValidator({ spec }: Contract, validateResponses: boolean): RequestHandler[] {
  // It changes what it is given.
  const own = structuredClone(spec);
  const validator = new OpenApiValidator({
    apiSpec: own.apiDoc,
    // http/authenticate does it, before the body is read.
    validateSecurity: false,
    validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
    validateResponses,
    // As strict as whoever checks our answers against the contract.
    ajvFormats: { mode: 'full' },
    fileUploader: false,
  });
  // What the package's own `middleware` does once it has read the contract, which `npm run generate` did already.
  return validator.installMiddleware(Promise.resolve({ ...own, serial: 1 }));
}
