import { METHODS } from 'node:http';
import { expect } from 'chai';
import { basePath, operations } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { send } from '../../harness/service/client.ts';
import { useService } from '../../harness/service/service.ts';
import { setStage } from '../../harness/service/stage.ts';
import { credentials, exchange, expectRefusal, json, onlyAnswer, refused, samples } from './requests.ts';

databases('either');

/** Node itself closes CONNECT requests. */
const methods = METHODS.filter((method) => method !== 'CONNECT');

describe('paths and methods', () => {
  let url: string;
  const test = useService();
  const stage = suiteFixture(() => setStage(test));
  before(() => {
    url = test.service.url;
  });

  const unknown = [
    '/nothing',
    '/api',
    '/api/v1',
    '/api/v1/',
    '/api/v1/nothing',
    '/api/v1/applications',
    '/api/v1/applications/',
    '/api/v1/applications/a/participants',
    '/api/v1/applications/a/participants/b/c',
    '/api/v2/property-management/workspaces',
    '/API/V1/property-management/workspaces',
    '/api/v1/Property-Management/workspaces',
    '/api/v1/property-management/workspaces/',
    '//api/v1/property-management/workspaces',
    '/api/v1//property-management/workspaces',
    '/api/v1/property-management%2Fworkspaces',
    '/api/v1/./property-management/workspaces',
    '/api/v1/authenticate/../property-management/workspaces',
    '/__proto__',
    '/api/v1/constructor',
    '/%zz',
    '/api/v1/%00',
    '/verify/kyc',
    '/verify/nothing/guessed',
    '/invitation',
    '/invitation/guessed/more',
  ];
  for (const path of unknown)
    it(`answer 404 in the common envelope at ${path}`, async () => {
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS', 'HEAD'])
        await refused(404, url, method, path, { ...json, authorization: `Bearer ${test.alice.token}` }, '{}');
    });

  it('lead people from the top to the guides, programs to the contract, and browsers to an icon', async () => {
    const page = await send(url, 'GET', '/', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect([page.status, page.headers['location'], page.headers['vary']]).to.deep.equal([302, 'docs/', 'Accept']);
    for (const accept of ['*/*', 'application/json']) {
      const { status, text } = await send(url, 'GET', '/', { accept });
      expect([status, JSON.parse(text).status]).to.deep.equal([200, 'success']);
      for (const place of Object.values<string>(JSON.parse(text).data).filter((name) => name !== 'api/v1'))
        expect((await send(url, 'GET', `/${place}`)).status, place).to.equal(200);
    }
    expect((await send(url, 'GET', '/favicon.ico')).headers['content-type']).to.equal('image/svg+xml');
    expect((await send(url, 'POST', '/')).headers['allow']).to.equal('GET, HEAD');
  });

  it('answer in the common envelope below the hosted pages', async () => {
    await refused(400, url, 'GET', '/verify/kyc/%zz');
    for (const [page, allowed] of [
      ['/verify/kyc/guessed', ['GET', 'HEAD']],
      ['/verify/eid/guessed', ['GET', 'POST']],
      ['/invitation/guessed', ['GET', 'HEAD', 'POST']],
      ['/onboarding/guessed', ['GET', 'HEAD', 'POST']],
    ] as const) {
      await refused(404, url, 'GET', page);
      for (const method of methods.filter((candidate) => !allowed.some((name) => name === candidate))) {
        const answer = await refused(405, url, method, page);
        expect(answer.headers['allow'], `${method} ${page}`).to.equal(allowed.join(', '));
      }
    }
  });

  it('answer 405 with Allow for every method that a path does not declare', async () => {
    for (const { path, operation } of samples(stage)) {
      const declared = operations.filter(({ template }) => template === operation.template).map(({ method }) => method);
      for (const method of methods.filter((candidate) => !declared.includes(candidate))) {
        const answer = await refused(405, url, method, path, { ...credentials(operation, test.alice), ...json });
        expect(answer.headers['allow'], `${method} ${path}`).to.equal(declared.sort().join(', '));
      }
    }
  });

  it('never treat create-application as an application’s id', async () => {
    const headers = { authorization: `Bearer ${test.alice.token}` };
    const answer = await refused(405, url, 'GET', `${basePath}/applications/create-application`, headers);
    expect(answer.headers['allow']).to.equal('POST');
  });

  it('run no handler for HEAD: no verification starts', async () => {
    const path = `${basePath}/tenants/initiate-kyc/${stage.tenantId}`;
    await refused(405, url, 'HEAD', path, { authorization: `Bearer ${test.alice.token}` });
    expect(await test.service.runtime.db('kyc_verifications').where({ tenant_id: stage.tenantId })).to.deep.equal([]);
  });

  it('do not let a header or parameter override the method', async () => {
    const path = `${basePath}/applications/${stage.applicationId}/participants/${stage.email}?_method=DELETE`;
    const headers = { authorization: `Bearer ${test.alice.token}`, 'x-http-method-override': 'DELETE', ...json };
    await refused(405, url, 'POST', path, headers, '{"_method":"DELETE"}');
  });

  const parameters = operations.flatMap(({ operationId, template }) =>
    [...template.matchAll(/\{(\w+)\}/g)].map(([segment, name]) => ({ operationId, segment, name })),
  );
  for (const { operationId, segment, name } of parameters)
    it(`refuse text that cannot be stored in ${name} of ${operationId}, but only after authentication`, async () => {
      for (const text of ['%zz', '%', '%00', 'a%00b', '%ED%A0%80', '%ED%B0%80', '%C3', '%FF%FE']) {
        const sample = samples(stage).find(({ operation }) => operation.operationId === operationId);
        if (!sample) throw new Error(`There is no sample of ${operationId}.`);
        const { operation, body } = sample;
        const values: Record<string, string> = { ...stage, [String(name)]: text };
        const filled = operation.template.replace(/\{(\w+)\}/g, (_, key: string) => values[key] ?? segment);
        const path = `${basePath}${filled}${sample.path.includes('?') ? `?workspace_id=${stage.workspace_id}` : ''}`;
        const sent = body === undefined ? undefined : JSON.stringify(body);
        await refused(401, url, operation.method, path, json, sent);
        await refused(400, url, operation.method, path, { ...credentials(operation, test.alice), ...json }, sent);
      }
    });

  it('treat an escaped slash as part of an identifier, never as the end of a segment', async () => {
    const headers = { authorization: `Bearer ${test.alice.token}` };
    const id = stage.applicationId;
    for (const path of [
      `/applications/${id}%2Fparticipants%2F${stage.email}`,
      `/tenants%2Finitiate-kyc/${stage.tenantId}`,
      `/applications/..%2Fapplications%2F${id}`,
      `/applications/%2E%2E%2F${id}`,
    ])
      await refused(404, url, 'GET', `${basePath}${path}`, headers);
  });

  it('decode a path parameter once', async () => {
    const headers = { authorization: `Bearer ${test.alice.token}`, ...json };
    const path = (email: string) => `${basePath}/applications/${stage.applicationId}/participants/${email}`;
    const found = await send(url, 'PATCH', path(stage.email.replace('@', '%40')), headers, '{"name":"Ana"}');
    expect(found.status).to.equal(200);
    await refused(400, url, 'PATCH', path(stage.email.replace('@', '%2540')), headers, '{"name":"Ana"}');
  });

  it('treat a target in absolute form like the same target in origin form', async () => {
    const ask = (target: string, headers = `Authorization: Bearer ${test.alice.token}\r\n`) =>
      exchange(url, `GET ${target} HTTP/1.1\r\nHost: api\r\nConnection: close\r\n${headers}\r\n`);
    const path = `${basePath}/property-management/workspaces`;
    for (const target of [`${url}${path}`, `http://elsewhere.example${path}?page=2`]) {
      expect(onlyAnswer(await ask(target)).status).to.equal(200);
      expectRefusal(target, onlyAnswer(await ask(target, '')), 401);
    }
    for (const target of [`${url}/nothing`, '*']) expectRefusal(target, onlyAnswer(await ask(target)), 404);
    for (const target of [url, '/?#']) expect(onlyAnswer(await ask(target)).status, target).to.equal(200);
  });
});
