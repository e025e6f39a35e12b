import { expect } from 'chai';
import express from 'express';
import { type Contract, type Operation, readContract } from '../../core/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { authenticate, callerOf, type SchemeChecks } from '../../http/api/authenticate.ts';
import { bindOperations } from '../../http/api/bind.ts';
import type { Validation } from '../../http/api/validation.ts';
import { createEdgeApp } from '../../http/edge/edge-app.ts';

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

function bind(contract: Contract, validate: Validation) {
  const app = createEdgeApp({ handle: (_req, _res, next) => next() });
  const createContext = () => {
    throw new Error('No handler is meant to run.');
  };
  bindOperations(app, { contract, checks, validate, createContext });
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
