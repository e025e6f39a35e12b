import type { ErrorRequestHandler, Express, Request, RequestHandler, Response } from 'express';
import type { Contract, Operation } from '../../core/contract.ts';
import type { Context, ReadContext } from '../../handlers/handler.ts';
import { handlers, readers } from '../../handlers/index.ts';
import { refuseMethods } from '../edge/on-error.ts';
import { authenticate, authenticated, callerOf, readerOf, type SchemeChecks } from './authenticate.ts';
import { deferDecoding, readJsonBody, readPath, readQuery, requestOf } from './read-request.ts';
import type { Validation } from './validation.ts';

/** A handler as the edge calls it. The contract's validator guarantees that the values have the declared types. */
// biome-ignore lint/suspicious/noExplicitAny: the named seam where validated values become typed ones
type Bound<Ctx> = (request: any, ctx: Ctx) => Promise<{ message: string; data: unknown }>;

const boundHandlers = new Map<string, Bound<Context>>(Object.entries(handlers));
const boundReaders = new Map<string, Bound<ReadContext>>(Object.entries(readers));

export interface Binding {
  contract: Pick<Contract, 'basePath' | 'operations'>;
  checks: SchemeChecks;
  /** The contract's request (and response) validation. */
  validate: Validation;
  /** A handler's context without the caller's part. */
  createContext: () => Omit<Context, 'caller'>;
}

/**
 * Makes every operation of the contract an Express route. Start reading here to follow a request; the order of the steps is the order of
 * refusals:
 * 1. `edge/server.ts` takes the request.
 * 2. `edge/admission.ts` gives it an id, and a turn of its API key: 503 when too many wait. Later, its statements take turns at the database.
 * 3. Express finds the route of the path: 404 if the contract has none, 405 if the path has no such method.
 * 4. `authenticate.ts` checks the credentials: 401. A reader's key is read with its row, or before a refusal: 401 still comes first.
 * 5. `read-request.ts` decodes the parameters and parses the body: 400. An operation without a body ignores any that is sent.
 * 6. `validation.ts` validates parameters and body by the contract: 400.
 * 7. `handlers/<operation>.ts` does the work; it throws the errors of `core/errors.ts`.
 * 8. The envelope is written here, errors in `edge/on-error.ts`, both by `edge/write-json.ts`.
 */
export function bindOperations(app: Express, binding: Binding): void {
  const { basePath, operations } = binding.contract;
  app.use(deferDecoding(basePath));
  for (const [path, ofPath] of [...Map.groupBy(operations, ({ path }) => path)].sort(byPrecedence)) {
    const route = app.route(expressPath(basePath + path));
    const refuse = refuseMethods(
      ofPath
        .map(({ method }) => method.toUpperCase())
        .sort()
        .join(', '),
    );
    // Express would run the handler of GET, and some operations have side effects.
    route.head(refuse);
    for (const operation of ofPath) route[operation.method](...stepsOf(operation, binding));
    route.all(refuse);
  }
}

/** `/applications/{applicationId}` in the syntax of Express 5: `/applications/:applicationId`. */
function expressPath(template: string): string {
  return template.replaceAll(/\{(\w+)\}/g, ':$1');
}

/**
 * Express takes the first route that matches. Literal segments take precedence over parameters (OpenAPI 3.0.3, Paths):
 * `/applications/create-application` is not an id.
 */
function byPrecedence([one]: [string, unknown], [other]: [string, unknown]): number {
  const rank = (path: string) => path.replaceAll(/[^/]+/g, (segment) => (segment.startsWith('{') ? '1' : '0'));
  return rank(one).localeCompare(rank(other));
}

/** In the order of refusals. */
function stepsOf(
  operation: Operation,
  { checks, validate, createContext }: Binding,
): (RequestHandler | ErrorRequestHandler)[] {
  const answer = answerOf(operation, createContext);
  const run: RequestHandler = async (req, res) => {
    const { message, data } = await answer(req, res);
    await authenticated(req);
    res.setHeader('Cache-Control', 'no-store');
    res.json({ status: 'success', message, data });
  };
  const nameOperation: RequestHandler = (_req, res, next) => {
    res.locals['operation'] = operation.id;
    res.locals['listsFieldErrors'] = operation.listsFieldErrors;
    next();
  };
  const readBody = operation.takesBody ? readJsonBody : [];
  const read = [readPath, readQuery(operation.query), ...readBody];
  return [
    nameOperation,
    authenticate(operation, checks, { isReader: boundReaders.has(operation.id) }),
    ...read,
    ...validate(operation),
    run,
    refuseInOrder,
  ];
}

/** A caller without authentication learns no other fault. */
const refuseInOrder: ErrorRequestHandler = (error, req, _res, next) => authenticated(req).then(() => next(error), next);

/** @throws when the operation has no handler */
function answerOf({ id }: Operation, createContext: Binding['createContext']) {
  const [reader, handler] = [boundReaders.get(id), boundHandlers.get(id)];
  if (reader)
    return (req: Request, res: Response) =>
      reader(requestOf(req, res), { now: createContext().now, read: readerOf(req, res) });
  if (!handler) throw new Error(`The contract's operation ${id} has no handler.`);
  return (req: Request, res: Response) => handler(requestOf(req, res), { ...createContext(), caller: callerOf(req) });
}
