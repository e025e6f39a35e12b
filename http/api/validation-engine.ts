import { parse } from 'node:url';
import type { RequestHandler } from 'express';
import { AjvOptions } from 'express-openapi-validator/dist/framework/ajv/options.js';
import { defaultSerDes } from 'express-openapi-validator/dist/framework/base.serdes.js';
import { BadRequest, type OpenAPIV3 } from 'express-openapi-validator/dist/framework/types.js';
import { RequestValidator } from 'express-openapi-validator/dist/middlewares/openapi.request.validator.js';
import { ResponseValidator } from 'express-openapi-validator/dist/middlewares/openapi.response.validator.js';
import { SchemaPreprocessor } from 'express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js';
import type { Contract, Operation } from '../../core/contract.ts';
import { type FieldError, ValidationError } from '../../core/errors.ts';
import { fieldMessage } from '../../core/messages.ts';
import { didYouMean } from '../../core/rules/near-miss.ts';
import { isRecord } from '../../core/text.ts';

/** Creates the middleware that validates an operation's requests, once the path parameters are in `res.locals.params`. */
export type Validation = (operation: Operation) => RequestHandler[];

/** Per contract: schemas compile on the first requests, because compiling them all takes longer than a start. */
const validations = new WeakMap<Contract, Map<boolean, Validation>>();

/**
 * Validates requests against the contract, and the service's own responses if asked to. The engine is express-openapi-validator without
 * the path matching of its documented middleware. This is the only file that imports the package's internal modules: decision 23 records
 * why, the cost, the pinned version and the tests that guard it.
 * @throws ValidationError from the handlers, with every fault of a request at once
 */
export function validatorOf(contract: Contract, validateResponses: boolean): Validation {
  const known = validations.get(contract) ?? new Map<boolean, Validation>();
  const validation = known.get(validateResponses) ?? createValidation(contract, validateResponses);
  validations.set(contract, known.set(validateResponses, validation));
  return validation;
}

/** The middleware's defaults, written out, except where a reason is given. */
const OPTIONS = {
  validateApiSpec: true,
  // `authenticate` does this before the body is read.
  validateSecurity: false,
  validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
  // As strict as the clients that check our responses against the contract.
  ajvFormats: { mode: 'full' },
  validateFormats: true,
  formats: {},
  serDes: defaultSerDes,
  fileUploader: false,
  operationHandlers: false,
  $refParser: { mode: 'bundle' },
} as const;

const RESPONSE_OPTIONS = { removeAdditional: false, coerceTypes: false } as const;

/** The engine distinguishes documents of one application by this key; there is only one document. */
const SERIAL = 1;

function createValidation({ document, basePath, operations }: Contract, validateResponses: boolean): Validation {
  useUpUrlWarning();
  // A copy, because the engine changes the document.
  const apiDoc: OpenAPIV3.DocumentV3 = JSON.parse(JSON.stringify(document));
  // The engine compiles response schemas even when it does not validate responses; that takes an eighth of a start.
  if (!validateResponses)
    for (const { method, path } of operations) Object.assign(apiDoc.paths[path]?.[method] ?? {}, { responses: {} });
  const ofAjv = new AjvOptions({
    ...OPTIONS,
    apiSpec: apiDoc,
    validateResponses: validateResponses && RESPONSE_OPTIONS,
  });
  const { apiDocRes } = new SchemaPreprocessor(apiDoc, ofAjv.preprocessor, RESPONSE_OPTIONS).preProcess();
  const requests = new RequestValidator(apiDoc, ofAjv.request);
  const responses = validateResponses
    ? [new ResponseValidator(apiDocRes, ofAjv.response, RESPONSE_OPTIONS, SERIAL).validate()]
    : [];
  return ({ method, path }) => {
    const [schema, _responseSchema] = [apiDoc.paths?.[path]?.[method], apiDocRes?.paths?.[path]?.[method]];
    if (!schema) throw new Error(`The validator does not know ${method} ${path}.`);
    const openApiRoute = basePath + path;
    const expressRoute = openApiRoute.replaceAll(/\{(\w+)\}/g, ':$1');
    const validate: RequestHandler = (req, res, next) => {
      const pathParams = res.locals['params'];
      const openapi = { expressRoute, openApiRoute, schema, _responseSchema, pathParams, serial: SERIAL };
      try {
        requests.validate(Object.assign(req, { openapi }), res, next);
      } catch (error) {
        throw error instanceof BadRequest
          ? new ValidationError(fieldErrorsOf(error, (field) => fieldsBeside(apiDoc, schema, field)))
          : error;
      }
    };
    return [validate, ...responses];
  };
}

/**
 * The engine calls `url.parse` per request. Until Node has emitted its one deprecation warning, it inspects the stack at each call: 2 to 5
 * % of a read. Source: Node's documentation of `util.deprecate` on setting `process.noDeprecation`.
 */
function useUpUrlWarning(): void {
  const { noDeprecation } = process;
  process.noDeprecation = true;
  parse('/');
  Object.assign(process, { noDeprecation });
}

/** Limits the errors for a long list, so that the response does not outgrow the request. */
const MAX_FIELD_ERRORS = 20;

/** The engine's findings, one per field. @param namesBeside returns the fields that the contract declares next to an unknown one */
export function fieldErrorsOf(
  { errors }: Pick<BadRequest, 'errors'>,
  namesBeside: (field: string) => Iterable<string> = () => [],
): FieldError[] {
  return errors.slice(0, MAX_FIELD_ERRORS).map(({ path, message, errorCode }) => {
    const field = dottedPath(path);
    if (!errorCode) return { field, message: 'must be percent-encoded.' };
    const [keyword = ''] = errorCode.split('.');
    const plain = `${fieldMessage(keyword, message)}.`;
    if (keyword !== 'additionalProperties') return { field, message: plain };
    return { field, message: plain + didYouMean(field.slice(field.lastIndexOf('.') + 1), namesBeside(field)) };
  });
}

/** Maps `/body/tenants/0/email` to the field `tenants.0.email`; the body as a whole is `body`. */
function dottedPath(path: string): string {
  return path
    .replace(/^\/?(body|query|params|headers)\//, '')
    .replace(/^\//, '')
    .replaceAll('/', '.');
}

/** The fields of an object in the body, by its dotted path. The engine has not resolved the references. */
export function fieldsBeside(document: unknown, operation: { requestBody?: unknown }, field: string): string[] {
  const resolved = (schema: unknown): Record<string, unknown> => {
    const reference = isRecord(schema) && schema['$ref'];
    if (typeof reference !== 'string') return isRecord(schema) ? schema : {};
    const parts = reference.split('/').slice(1);
    return resolved(parts.reduce((found: unknown, part) => (isRecord(found) ? found[part] : undefined), document));
  };
  const [media] = Object.values(resolved(resolved(operation.requestBody)['content']));
  const parents = field.split('.').slice(0, -1);
  const parent = parents.reduce(
    (schema, part) => resolved(schema['items'] ?? resolved(schema['properties'])[part]),
    resolved(resolved(media)['schema']),
  );
  return Object.keys(resolved(parent['properties']));
}
