import { type Express, type IRoute, type RequestHandler, Router } from 'express';
import { MethodNotAllowed } from '../../core/errors.ts';
import type { Context } from '../../handlers/handler.ts';
import { handlers } from '../../handlers/index.ts';
import { authenticate, callerOf, type SchemeChecks } from './authenticate.ts';
import type { Contract, Operation } from './contract.ts';
import { createPathTree } from './path-tree.ts';
import { ignoreBody, pathParameters, readJsonBody } from './read-request.ts';
import type { Validation } from './validator.ts';

declare module 'express-serve-static-core' {
  interface IRoute {
    /** Express has it; its types do not. */
    dispatch: RequestHandler;
  }
}

/** What a handler is to the edge. The contract's validator has made sure that the values are what the types say. */
// biome-ignore lint/suspicious/noExplicitAny: the named seam where validated values become typed ones
type BoundHandler = (request: any, ctx: Context) => Promise<{ message: string; data: unknown }>;

export interface Binding {
  contract: Contract;
  checks: SchemeChecks;
  /** The contract's request (and response) validation. */
  validate: Validation;
  /** What each handler works with, but for the caller. */
  createContext: () => Omit<Context, 'caller'>;
}

/**
 * Binds each operation as an Express route of its own, once, at the start. A request finds its route in a tree, so that it costs the
 * same however many there are. The order of steps is the order of refusals: 401, then 400, then whatever the handler throws.
 */
export function bindOperations(app: Express, binding: Binding): void {
  const { basePath, operations } = binding.contract;
  const routes = createPathTree<IRoute>();
  for (const [path, ofPath] of Map.groupBy(operations, ({ path }) => path))
    routes.add(basePath + path, routeOf(ofPath, binding));
  app.use((req, res, next) => {
    const route = routes.find(req.path);
    if (route) route.dispatch(req, res, next);
    else next();
  });
}

function routeOf(operations: readonly Operation[], binding: Binding): IRoute {
  const methods = operations.map(({ method }) => method.toUpperCase()).sort();
  const refuse: RequestHandler = () => {
    throw new MethodNotAllowed(methods.join(', '));
  };
  const route = Router().route(operations[0]?.path ?? '');
  // Express would answer HEAD with the handler of GET, and some of ours start something.
  route.head(refuse);
  for (const operation of operations) route[operation.method](...steps(operation, binding));
  route.all(refuse);
  return route;
}

function steps(operation: Operation, { checks, validate, createContext }: Binding): RequestHandler[] {
  const handler: BoundHandler = handlers[operation.id];
  const name: RequestHandler = (_req, res, next) => {
    res.locals['operation'] = operation.id;
    res.locals['listsFieldErrors'] = operation.listsFieldErrors;
    next();
  };
  const parametersOf = pathParameters(operation.path);
  const readPath: RequestHandler = (req, res, next) => {
    res.locals['params'] = parametersOf(req.path);
    next();
  };
  const run: RequestHandler = async (req, res) => {
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
    ...validate(operation),
    run,
  ];
}
