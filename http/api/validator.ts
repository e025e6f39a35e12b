import { parse } from 'node:url';
import type { RequestHandler } from 'express';
import { AjvOptions } from 'express-openapi-validator/dist/framework/ajv/options.js';
import { defaultSerDes } from 'express-openapi-validator/dist/framework/base.serdes.js';
import { RequestValidator } from 'express-openapi-validator/dist/middlewares/openapi.request.validator.js';
import { ResponseValidator } from 'express-openapi-validator/dist/middlewares/openapi.response.validator.js';
import { SchemaPreprocessor } from 'express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js';
import type { Contract, Operation } from './contract.ts';

/** What validates the requests of an operation, once its path's parameters are in `res.locals.params`. */
export type Validation = (operation: Operation) => RequestHandler[];

/** Kept for whatever else a process serves: what is compiled with the first requests takes longer than a start. */
const kept = new WeakMap<Contract, Map<boolean, Validation>>();

/** The contract's validation of requests, all faults at once, and if asked for of our own answers. */
export function validatorOf(contract: Contract, validateResponses: boolean): Validation {
  const validations = kept.get(contract) ?? new Map<boolean, Validation>();
  const validation = validations.get(validateResponses) ?? createValidation(contract, validateResponses);
  kept.set(contract, validations.set(validateResponses, validation));
  return validation;
}

/** As the package completes them, where nothing is said of a reason. */
const OPTIONS = {
  validateApiSpec: true,
  // http/authenticate does it, before the body is read.
  validateSecurity: false,
  validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
  // As strict as whoever checks our answers against the contract.
  ajvFormats: { mode: 'full' },
  validateFormats: true,
  formats: {},
  serDes: defaultSerDes,
  fileUploader: false,
  operationHandlers: false,
  $refParser: { mode: 'bundle' },
} as const;

const OF_RESPONSES = { removeAdditional: false, coerceTypes: false } as const;

/**
 * Does what the package's own middleware does, but for looking through all paths of the contract for the one that Express has found
 * already, and for a promise at each step: these cost more than the validation.
 */
function createValidation({ spec, basePath }: Contract, validateResponses: boolean): Validation {
  warnInSilence();
  // The package changes what it is given.
  const { apiDoc } = structuredClone(spec);
  const ofAjv = new AjvOptions({ ...OPTIONS, apiSpec: apiDoc, validateResponses: validateResponses && OF_RESPONSES });
  const { apiDocRes } = new SchemaPreprocessor(apiDoc, ofAjv.preprocessor, OF_RESPONSES).preProcess();
  const requests = new RequestValidator(apiDoc, ofAjv.request);
  const responses = validateResponses
    ? [new ResponseValidator(apiDocRes, ofAjv.response, OF_RESPONSES, SERIAL).validate()]
    : [];
  return ({ method, path }) => {
    const [schema, _responseSchema] = [apiDoc.paths?.[path]?.[method], apiDocRes?.paths?.[path]?.[method]];
    const route = spec.routes.find(({ openApiRoute }) => openApiRoute === basePath + path);
    if (!schema || !route) throw new Error(`The validator does not know ${method} ${path}.`);
    const { expressRoute, openApiRoute } = route;
    const validate: RequestHandler = (req, res, next) => {
      const pathParams = res.locals['params'];
      const openapi = { expressRoute, openApiRoute, schema, _responseSchema, pathParams, serial: SERIAL };
      requests.validate(Object.assign(req, { openapi }), res, next);
    };
    return [validate, ...responses];
  };
}

/**
 * The validator parses each address with `url.parse`, and Node looks each time through the stack for whether to warn of that, until it
 * has warned once.
 */
function warnInSilence(): void {
  const { noDeprecation } = process;
  process.noDeprecation = true;
  parse('/');
  Object.assign(process, { noDeprecation });
}

/** Of the contract, if an application had several. */
const SERIAL = 1;
