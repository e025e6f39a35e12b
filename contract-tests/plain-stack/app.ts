import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { middleware as openApiValidator, error as validatorErrors } from 'express-openapi-validator';
import { OpenAPIBackend } from 'openapi-backend';
import { MethodNotAllowed, UnknownPath, ValidationError } from '../../core/errors.ts';
import type { ReadForCaller } from '../../db/connection/queries/key-reads.ts';
import type { Caller, Context, ReadContext } from '../../handlers/handler.ts';
import { handlers, readers } from '../../handlers/index.ts';
import { basePath, document, operations } from '../../harness/contract/contract.ts';
import { admission } from '../../http/edge/admission.ts';
import { refusalOf } from '../../http/edge/on-error.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { createApplication } from './create-application.ts';
import { securityHandlers } from './credentials.ts';
import { fieldErrorsOf } from './field-errors.ts';
import { getApplication } from './get-application.ts';
import { readBody, readPath } from './read-request.ts';

const CONTRACT_FILE = new URL('../../openapi.yaml', import.meta.url).pathname;

/**
 * The same contract served by the packages as their manuals combine them, without caching or shortcuts: openapi-backend routes and
 * requires credentials, the validator looks the operation up again and validates the request and the answer, Knex builds each query.
 * It is the second opinion on what the service decides: how it reads the contract's schemas and paths, and its hand-written statements.
 * The plain stack shares with the service what no package decides: the table from errors to statuses and messages (`refusalOf`,
 * `FIELD_MESSAGES`), `X-Request-Id` (`admission`) and the refusals at HTTP level (`createApiServer`). It overrides the packages where they
 * contradict the product document: 405 with `Allow` and before authentication, the messages for unreadable paths and bodies, the body
 * limit, and the exact media type of answers.
 */
export async function createPlainApp(runtime: Runtime): Promise<Express> {
  const app = express();
  for (const setting of ['x-powered-by', 'etag']) app.disable(setting);
  for (const setting of ['strict routing', 'case sensitive routing']) app.enable(setting);
  app.use(admission({ log: runtime.log, trustedProxies: [] }).handle, withPlainJson, withoutFragment);
  app.use(refuseOtherMethods, await routed(runtime));
  app.use(readPath, ...readBody);
  app.use(
    openApiValidator({
      apiSpec: CONTRACT_FILE,
      validateSecurity: false,
      validateRequests: { allErrors: true, allowUnknownQueryParameters: true },
      validateResponses: true,
      ajvFormats: { mode: 'full' },
      fileUploader: false,
    }),
  );
  app.use(answer(runtime));
  app.use(refuse(runtime));
  return app;
}

const withPlainJson: RequestHandler = (_req, res, next) => {
  res.json = (body) => writePlain(res, body);
  next();
};

/** JSON has no charset (RFC 8259, section 11). */
function writePlain(res: Response, body: unknown): Response {
  const bytes = Buffer.from(JSON.stringify(body));
  return res.setHeader('Content-Type', 'application/json').setHeader('Content-Length', bytes.length).end(bytes);
}

/**
 * A fragment is not part of a request target (RFC 9112, section 3.2). Express cuts it off, and the validator treats it as the end of a
 * value.
 */
const withoutFragment: RequestHandler = (req, _res, next) => {
  req.originalUrl = req.originalUrl.replace(/#.*/, '');
  next();
};

/** A concrete path never matches a template; openapi-backend confuses them when the method differs. */
const refuseOtherMethods: RequestHandler = ({ method, path }, _res, next) => {
  const there = operations.filter(({ template }) => patternOf(template).test(path));
  const concrete = there.filter(({ template }) => !template.includes('{'));
  const methods = (concrete.length > 0 ? concrete : there).map((operation) => operation.method).sort();
  if (methods.length > 0 && !methods.includes(method)) throw new MethodNotAllowed(methods.join(', '));
  next();
};

function patternOf(template: string): RegExp {
  return new RegExp(`^${basePath}${template.replace(/\{\w+\}/g, '[^/]+')}$`);
}

async function routed(runtime: Runtime): Promise<RequestHandler> {
  const api = new OpenAPIBackend({
    definition: CONTRACT_FILE,
    apiRoot: basePath,
    strict: true,
    validate: false,
    ignoreTrailingSlashes: false,
    securityHandlers: securityHandlers(runtime),
    handlers: {
      ...Object.fromEntries(operations.map(({ operationId }) => [operationId, proceed])),
      unauthorizedHandler: ({ security = {} }) => {
        throw Object.values(security).find((outcome) => outcome?.error)?.error;
      },
      notFound: () => {
        throw new UnknownPath();
      },
    },
  });
  await api.init();
  return async (req, res, next) => {
    // Its decoded values are not used, and it would reject a malformed escape before authentication.
    const path = req.path.replaceAll('%', '%25');
    await api.handleRequest({ method: req.method, path, headers: {}, query: {} }, req, res, next);
  };
}

type Routed = Parameters<NonNullable<ConstructorParameters<typeof OpenAPIBackend>[0]['handlers']>[string] & object>[0];

function proceed({ operation, security = {} }: Routed, _req: Request, res: Response, next: () => void): void {
  res.locals['routed'] = operation;
  res.locals['caller'] = Object.values(security)[0];
  res.locals['listsFieldErrors'] = operation.path.startsWith('/property-management/');
  next();
}

// biome-ignore lint/suspicious/noExplicitAny: what the validator has seen is what the types say
type BoundHandler = (request: any, ctx: Context & ReadContext) => Promise<{ message: string; data: unknown }>;

function answer(runtime: Runtime): RequestHandler {
  const plain: Record<string, BoundHandler> = { ...readers, ...handlers, getApplication, createApplication };
  return async (req, res) => {
    const { openapi } = req as { openapi?: { pathParams: unknown; schema: { operationId: string } } };
    const { operationId } = res.locals['routed'];
    if (openapi?.schema.operationId !== operationId) throw new Error(`The two routers disagree about ${req.path}.`);
    const caller: Caller = res.locals['caller'];
    const request = { params: canonical(openapi?.pathParams), query: canonical(req.query), body: req.body };
    const read: ReadForCaller = async (statement, ...values) =>
      (await statement(runtime.db, caller.apiKeyId, ...values)).found;
    const ctx: Context & ReadContext = { ...runtime, now: runtime.now(), caller, read };
    const outcome = await plain[operationId]?.(request, ctx);
    res.setHeader('Cache-Control', 'no-store');
    res.json({ status: 'success', ...outcome });
  };
}

function requestOf(req: Request): object {
  const { openapi } = req as { openapi?: { pathParams: unknown } };
  return { body: req.body, query: req.query, params: openapi?.pathParams };
}

/** With UUIDs in lower case. */
function canonical(values: unknown): object {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
  const lower = (value: unknown) => (typeof value === 'string' && uuid.test(value) ? value.toLowerCase() : value);
  return Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, lower(value)]));
}

function refuse({ log }: Runtime): ErrorRequestHandler {
  return (error, req, res, _next) => {
    const refusal = refusalOf(
      error instanceof validatorErrors.BadRequest
        ? new ValidationError(fieldErrorsOf(error, document, res.locals['routed'], requestOf(req)))
        : error,
    );
    if (!refusal) log.error({ err: error }, 'the plain stack failed');
    const {
      status,
      message,
      headers = {},
      fields = [],
    } = refusal ?? { status: 500, message: 'The plain stack failed.' };
    const errors = res.locals['listsFieldErrors'] && fields.length > 0 ? { errors: fields } : {};
    writePlain(res.status(status).set(headers), { status: 'error', message, ...errors });
  };
}
