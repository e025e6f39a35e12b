import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import { type Contract, type Operation, readContract } from '../../core/contract.ts';
import { authenticate, callerOf, type SchemeChecks } from '../../http/api/authenticate.ts';
import { bindOperations } from '../../http/api/bind.ts';
import { type Validation, validatorOf } from '../../http/api/validation-engine.ts';
import { createEdgeApp } from '../../http/edge/edge-app.ts';

const caller = async () => ({ apiKeyId: 'key', landlordId: 'landlord' });
const checks: SchemeChecks = { accessToken: caller, clientCredentials: caller };

const operation: Operation = {
  id: 'listWorkspaces',
  method: 'get',
  path: '/property-management/workspaces',
  schemes: ['accessToken'],
  takesBody: false,
  listsFieldErrors: true,
};

function bind(contract: Contract, validate: Validation) {
  const app = createEdgeApp();
  const createContext = () => {
    throw new Error('No handler is meant to run.');
  };
  bindOperations(app, { contract, checks, validate, inTurn: (_apiKeyId, work) => work(), createContext });
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

  it('refuses to start with an operation that the validator does not know', () => {
    const unknown = { ...operation, path: '/property-management/elsewhere' };
    const validate = validatorOf(contract, false);
    expect(() => bind({ ...contract, operations: [unknown] }, validate)).to.throw(
      'does not know get /property-management/elsewhere',
    );
  });

  it('shows the validator a single Content-Type, because it caches what it compiles for each', async () => {
    const seen = new Set<string | undefined>();
    const bound = bind(contract, () => [
      (req, res) => {
        seen.add(req.headers['content-type']);
        res.json({});
      },
    ]);
    await served(bound, async (url) => {
      for (const { method, path, takesBody } of contract.operations)
        for (const type of ['application/json', 'application/json; a=1', 'Application/JSON;charset=utf-8', 'a/b']) {
          if (takesBody && type === 'a/b') continue;
          const target = `${contract.basePath}${path.replaceAll(/\{\w+\}/g, 'a')}`;
          const body = takesBody ? { body: '{}' } : {};
          const answer = await fetch(url + target, {
            method: method.toUpperCase(),
            headers: { 'content-type': type },
            ...body,
          });
          expect(answer.status, `${method} ${path}`).to.equal(200);
        }
    });
    expect([...seen]).to.have.members([undefined, 'application/json']);
  });
});

async function served(app: express.Express, work: (url: string) => Promise<void>): Promise<void> {
  const server: Server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await work(`http://127.0.0.1:${port}`).finally(() => server.close());
}
