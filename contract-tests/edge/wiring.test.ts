import { createServer } from 'node:http';
import { expect } from 'chai';
import express from 'express';
import { type Contract, type Operation, readContract } from '../../core/contract.ts';
import { Overloaded, Unauthenticated } from '../../core/errors.ts';
import { createLog } from '../../core/log.ts';
import { databases } from '../../harness/database/dialect.ts';
import { listen } from '../../harness/process/running-server.ts';
import { authenticate, callerOf, type SchemeChecks } from '../../http/api/authenticate.ts';
import { bindOperations } from '../../http/api/bind.ts';
import type { Validation } from '../../http/api/validation.ts';
import { createEdgeApp } from '../../http/edge/edge-app.ts';
import { onError } from '../../http/edge/on-error.ts';

databases('none');

const caller = () => ({ caller: () => Promise.resolve({ apiKeyId: 'key' }) });
const checks: SchemeChecks = { accessToken: caller, clientCredentials: caller };

const operation: Operation = {
  id: 'listWorkspaces',
  method: 'get',
  path: '/property-management/workspaces',
  schemes: ['accessToken'],
  takesBody: false,
  query: [],
  request: {},
  success: {},
  listsFieldErrors: true,
};

function bind(contract: Contract, validate: Validation, checked = checks) {
  const app = createEdgeApp({ handle: (_req, _res, next) => next() });
  // A reader needs no more than the time, and no other handler is meant to run.
  const createContext = () => JSON.parse('{}');
  bindOperations(app, { contract, checks: checked, validate, createContext });
  return app;
}

describe('the wiring of the edge', () => {
  const contract = readContract();

  for (const schemes of [[], ['apiKey'], ['accessToken', 'clientCredentials']])
    it(`refuses to start with an operation whose security is [${schemes}]`, () => {
      const open = { ...operation, schemes };
      expect(() => authenticate(open, checks)).to.throw('listWorkspaces needs exactly one security scheme');
      expect(() => bind({ ...contract, operations: [open] }, () => [])).to.throw('listWorkspaces needs exactly one');
    });

  it('refuses to start without a check for each scheme that the contract uses', () => {
    for (const { id, schemes } of contract.operations)
      for (const scheme of schemes) {
        const { [scheme]: _missing, ...others } = checks;
        expect(() => authenticate({ ...operation, id, schemes }, others), id).to.throw(id);
      }
  });

  it('passes no unauthenticated caller to a handler', () => {
    expect(() => callerOf(express.request)).to.throw('without authentication');
  });

  /** What a caller gets when a read fails, and how often the API key is looked up afterwards. */
  const outcome = async (failure: Error, lookUp: () => Promise<{ apiKeyId: string }>) => {
    let lookUps = 0;
    const check = () => ({
      caller: () => {
        lookUps++;
        return lookUp();
      },
      reader: { apiKeyId: 'key', read: () => Promise.reject(failure) },
    });
    const app = bind({ ...contract, operations: [operation] }, () => [], { ...checks, accessToken: check });
    app.use(onError(createLog('silent')));
    const server = await listen(createServer(app), 0);
    try {
      const { status } = await fetch(`${server.url}${contract.basePath}${operation.path}`);
      return { status, lookUps };
    } finally {
      await server.stop();
    }
  };

  it('asks the database once for a reader whose key is refused, or whose answer did not come', async () => {
    const found = async () => ({ apiKeyId: 'key' });
    for (const [failure, status] of [
      [new Unauthenticated('No.', 'Bearer'), 401],
      [new Overloaded(), 503],
      [new Error('Query read timeout'), 500],
    ] as const)
      expect(await outcome(failure, found), failure.message).to.deep.equal({ status, lookUps: 0 });
  });

  it('looks the key up before a caller learns of any other fault of a read', async () => {
    const refused = () => Promise.reject(new Unauthenticated('No.', 'Bearer'));
    expect(await outcome(new Error('a broken row'), refused)).to.deep.equal({ status: 401, lookUps: 1 });
  });

  it('makes every operation of the contract a route of Express, and nothing else', () => {
    const bound = bind(contract, () => []);
    const expected = Map.groupBy(contract.operations, ({ path }) => path);
    const routes = Array.from(expected, ([path, operations]) => ({
      path: contract.basePath + path.replaceAll(/\{(\w+)\}/g, ':$1'),
      methods: ['HEAD', ...operations.map(({ method }) => method.toUpperCase()), '*'],
    }));
    expect(routesOf(bound)).to.have.deep.members(routes);
  });
});

/** @types/express does not declare `listRoutes`, which the router documents. */
interface Listing {
  listRoutes(): { path: string; methods: string[]; router: unknown }[];
}

function routesOf({ router }: { router: object }) {
  const { listRoutes } = router as Listing;
  return listRoutes.call(router).map(({ path, methods }) => ({ path, methods }));
}
