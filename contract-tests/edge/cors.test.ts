import { expect } from 'chai';
import { basePath, operations } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { type RawAnswer, send } from '../../harness/service/client.ts';
import { startTestService, useService } from '../../harness/service/service.ts';
import { setStage } from '../../harness/service/stage.ts';
import { credentials, expectRefusal, json, refused, samples } from './requests.ts';

databases('either');

const DOCS = 'https://docs.example';
const workspaces = `${basePath}/property-management/workspaces`;

/** The CORS headers of an answer. */
function corsHeaders({ headers }: RawAnswer): string[] {
  return Object.keys(headers).filter((name) => name.startsWith('access-control-'));
}

function expectReadable(what: string, answer: RawAnswer): void {
  expect(answer.headers['access-control-allow-origin'], what).to.equal(DOCS);
  expect(answer.headers['access-control-expose-headers'], what).to.equal('X-Request-Id, WWW-Authenticate');
  expect(answer.headers['vary'], what).to.equal('Origin');
  expect(answer.headers, what).to.not.have.property('access-control-allow-credentials');
}

describe('calls from the pages of another origin', () => {
  let url: string;
  const test = useService({ DOCS_ORIGIN: DOCS });
  const stage = suiteFixture(() => setStage(test));
  before(() => {
    url = test.service.url;
  });

  const preflight = { origin: DOCS, 'access-control-request-method': 'PATCH' };

  it('allow the docs origin to preflight every path of the contract', async () => {
    for (const { path, operation } of samples(stage)) {
      const declared = operations.filter(({ template }) => template === operation.template).map(({ method }) => method);
      const answer = await send(url, 'OPTIONS', path, preflight);
      expect([answer.status, answer.text], path).to.deep.equal([204, '']);
      expect(answer.headers['access-control-allow-origin']).to.equal(DOCS);
      expect(answer.headers['access-control-allow-methods'], path).to.equal(declared.sort().join(', '));
      expect(answer.headers['access-control-allow-headers']).to.equal('Authorization, Content-Type, X-Request-Id');
      expect(answer.headers['vary']).to.equal('Origin');
      expect(answer.headers).to.not.have.property('access-control-allow-credentials');
    }
  });

  it('allow the docs origin to read every answer, refusals included', async () => {
    for (const sample of samples(stage)) {
      const headers = { ...credentials(sample.operation, test.alice), ...json, origin: DOCS };
      const body = sample.body === undefined ? undefined : JSON.stringify(sample.body);
      const { method } = sample.operation;
      expectReadable(sample.path, await send(url, method, sample.path, headers, body));
      expectReadable(sample.path, await refused(401, url, method, sample.path, { ...json, origin: DOCS }, body));
      if (body !== undefined) expectReadable(sample.path, await refused(400, url, method, sample.path, headers, '{'));
    }
    expectReadable('404', await refused(404, url, 'GET', `${basePath}/nothing`, { origin: DOCS }));
    expectReadable('405', await refused(405, url, 'PUT', workspaces, { origin: DOCS }));
  });

  it('refuse an OPTIONS from the docs origin that is not a preflight', async () => {
    const answer = await refused(405, url, 'OPTIONS', workspaces, { origin: DOCS });
    expect(answer.headers['allow']).to.equal('GET');
    await refused(404, url, 'OPTIONS', `${basePath}/nothing`, preflight);
  });

  it('treat every other origin, and none, as if CORS did not exist', async () => {
    const token = { authorization: `Bearer ${test.alice.token}` };
    const others = [
      'null',
      'https://docs.example:8443',
      'http://docs.example',
      'https://docs.example.evil.example',
      'https://DOCS.example',
      url,
    ];
    for (const origin of [...others.map((other) => ({ origin: other })), {}]) {
      const what = JSON.stringify(origin);
      const asked = await refused(405, url, 'OPTIONS', workspaces, { ...preflight, origin: '', ...origin });
      expect(asked.headers['allow'], what).to.equal('GET');
      const answer = await send(url, 'GET', workspaces, { ...token, ...origin });
      expect(answer.status, what).to.equal(200);
      expect([...corsHeaders(asked), ...corsHeaders(answer)], what).to.deep.equal([]);
    }
  });

  it('expose nothing outside the API to the docs origin', async () => {
    for (const path of ['/docs/', '/openapi.yaml', '/verify/kyc/guessed', '/nothing'])
      expect(corsHeaders(await send(url, 'GET', path, { origin: DOCS })), path).to.deep.equal([]);
    const answer = await send(url, 'OPTIONS', '/verify/kyc/guessed', preflight);
    expectRefusal('OPTIONS /verify/kyc/guessed', answer, 405);
    expect(corsHeaders(answer)).to.deep.equal([]);
  });

  it('expose nothing in a service without a docs origin', async () => {
    const closed = await startTestService();
    try {
      const answer = await refused(405, closed.service.url, 'OPTIONS', workspaces, preflight);
      expect(corsHeaders(answer)).to.deep.equal([]);
      expect(answer.headers).to.not.have.property('vary');
    } finally {
      await closed.stop();
    }
  });
});
