import type { Express, Request, RequestHandler } from 'express';
import { MethodNotAllowed, NotFound } from '../core/errors.ts';
import type { Context, OperationId } from '../handlers/handler.ts';
import { handlers } from '../handlers/index.ts';
import { authenticate, callerOf, type SchemeChecks } from './authenticate.ts';
import type { Contract, Operation } from './contract.ts';
import { ignoreBody, readJsonBody, readPathParameters } from './read-request.ts';

/** What a handler is to the edge. The contract's validator has made sure that the values are what the types say. */
// biome-ignore lint/suspicious/noExplicitAny: the named seam where validated values become typed ones
type BoundHandler = (request: any, ctx: Context) => Promise<{ message: string; data: unknown }>;

export interface Binding {
  contract: Contract;
  checks: SchemeChecks;
  /** The contract's request (and response) validation. */
  validate: RequestHandler[];
  /** What each handler works with, but for the caller. */
  createContext: () => Omit<Context, 'caller'>;
}

/**
 * Binds each operation as an Express route of its own, once, at the start. The order of steps is the order of refusals:
 * 401, then 400, then whatever the handler throws.
 */
export function bindOperations(app: Express, binding: Binding): void {
  const { contract } = binding;
  for (const [path, operations] of byPath(contract.operations)) {
    const methods = operations.map(({ method }) => method.toUpperCase()).sort();
    const refuse: RequestHandler = () => {
      throw new MethodNotAllowed(methods.join(', '));
    };
    // Express would answer HEAD with the handler of GET, and some of ours start something.
    const route = app.route(pathPattern(contract.basePath + path)).head(refuse);
    for (const operation of operations) route[operation.method](...steps(operation, binding));
    route.all(refuse);
  }
}

function steps(operation: Operation, { checks, validate, createContext }: Binding): RequestHandler[] {
  const handler: BoundHandler = handlers[operation.id];
  const name: RequestHandler = (_req, res, next) => {
    res.locals['operation'] = operation.id;
    res.locals['listsFieldErrors'] = operation.listsFieldErrors;
    next();
  };
  const readPath: RequestHandler = (req, res, next) => {
    res.locals['params'] = readPathParameters(operation.path, req.path);
    next();
  };
  const run: RequestHandler = async (req, res) => {
    // The validator finds the operation by itself; if it found another or none, it validated nothing.
    if (validatedOperation(req) !== operation.id) throw new NotFound('Resource');
    const request = { params: res.locals['params'], query: req.query, body: req.body };
    const { message, data } = await handler(request, { ...createContext(), caller: callerOf(req) });
    res.setHeader('Cache-Control', 'no-store');
    res.json({ status: 'success', message, data });
  };
  return [
    name,
    authenticate(operation, checks),
    readPath,
    ...(operation.takesBody ? readJsonBody : ignoreBody),
    ...validate,
    run,
  ];
}

function validatedOperation(req: Request): OperationId | undefined {
  return 'openapi' in req
    ? (req as { openapi?: { schema?: { operationId?: OperationId } } }).openapi?.schema?.operationId
    : undefined;
}

/** Paths without parameters first: `/applications/create-application` is never an application's id (OpenAPI 3.0.3, Paths). */
function byPath(operations: readonly Operation[]): [string, Operation[]][] {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) groups.set(operation.path, [...(groups.get(operation.path) ?? []), operation]);
  const parameters = (path: string) => path.split('{').length;
  return [...groups].sort(([a], [b]) => parameters(a) - parameters(b));
}

/** Captures nothing: Express would decode what it captures and refuse a malformed escape before the token is checked. */
function pathPattern(path: string): RegExp {
  const segments = path
    .split('/')
    .map((segment) => (segment.startsWith('{') ? '[^/]+' : segment.replace(/[^\w-]/g, '\\$&')));
  return new RegExp(`^${segments.join('/')}$`);
}
