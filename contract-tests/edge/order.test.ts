import { expect } from 'chai';
import { newId } from '../../core/ids.ts';
import { revokeApiKey } from '../../db/access/api-keys.ts';
import { basePath } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { send } from '../../harness/service/client.ts';
import { rowsOfKey } from '../../harness/service/key-rows.ts';
import { useService } from '../../harness/service/service.ts';
import { requestFor, setStage } from '../../harness/service/stage.ts';
import { credentials, json, refused, type Sample, samples } from './requests.ts';

databases('either');

const OVERSIZE = `{"title":"${'a'.repeat(1_000_000)}`;

describe('the order of refusals', () => {
  let url: string;
  const test = useService();
  const stage = suiteFixture(() => setStage(test));
  before(() => {
    url = test.service.url;
  });

  /** The same request for an absent resource, where the operation takes an identifier. */
  const absent = ({ operation, path }: Sample) =>
    operation.template.includes('{') ? `${basePath}${requestFor(operation, 404, stage).path}` : path;
  const text = (body: unknown) => (body === undefined ? undefined : JSON.stringify(body));

  it('401 takes precedence over any other fault in the path or body', async () => {
    for (const sample of samples(stage)) {
      const { operation, body } = sample;
      const challenge = operation.operationId === 'generateToken' ? /^Basic / : /^Bearer /;
      for (const sent of [text(body), '{', OVERSIZE, '\0'])
        for (const headers of [json, { 'content-type': 'text/plain' }, { ...json, 'content-encoding': 'nonsense' }]) {
          const answer = await refused(401, url, operation.method, absent(sample), headers, sent);
          expect(answer.headers['www-authenticate'], operation.operationId).to.match(challenge);
        }
    }
  });

  it('401 answers every unusable credential, even for nonexistent resources', async () => {
    const [header = '', claims = '', signature = ''] = String(test.alice.token).split('.');
    const unsigned = Buffer.from('{"alg":"none"}').toString('base64url');
    const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
    const unusable = [
      '',
      'Bearer',
      'Bearer ',
      'Bearer nonsense',
      'Bearer a.b.c',
      `Bearer ${header}.${claims}.${signature.slice(0, -2)}`,
      `Bearer ${header}.${claims}.`,
      `Bearer ${unsigned}.${claims}.`,
      `Token ${test.alice.token}`,
      String(test.alice.token),
      'Basic',
      'Basic !!!',
      basic('nonsense'),
      basic(':'),
      basic(`${test.alice.clientId}:`),
      basic(`${test.alice.clientId}:wrong`),
      basic(`:${test.alice.clientSecret}`),
      basic(`${test.bob.clientId}:${test.alice.clientSecret}`),
      basic(`${test.alice.clientId}\0:${test.alice.clientSecret}`),
      `Basic ${'A'.repeat(8000)}`,
    ];
    for (const sample of samples(stage))
      for (const authorization of unusable)
        await refused(401, url, sample.operation.method, absent(sample), { ...json, authorization }, text(sample.body));
  });

  it('401 answers credentials of the wrong scheme', async () => {
    const bearer = { authorization: `Bearer ${test.alice.token}` };
    const basic = Buffer.from(`${test.alice.clientId}:${test.alice.clientSecret}`).toString('base64');
    for (const { operation, path, body } of samples(stage)) {
      const other = operation.operationId === 'generateToken' ? bearer : { authorization: `Basic ${basic}` };
      await refused(401, url, operation.method, path, { ...json, ...other }, text(body));
    }
  });

  it('400 takes precedence over 404', async () => {
    for (const sample of samples(stage).filter(({ operation }) => operation.template.includes('{'))) {
      const { operation, body } = sample;
      const headers = { ...credentials(operation, test.alice), ...json };
      const target = absent(sample);
      await refused(404, url, operation.method, target, headers, text(body));
      if (body !== undefined)
        for (const wrong of ['{', '[]', '{"surplus":1}'])
          await refused(400, url, operation.method, target, headers, wrong);
      if (target.includes('?'))
        await refused(400, url, operation.method, target.replace(/\?.*/, '?workspace_id=1'), headers);
    }
  });

  it('a body is ignored by an operation that takes none', async () => {
    for (const { operation, path, body } of samples(stage).filter(({ operation }) => operation.method !== 'DELETE'))
      if (body === undefined) {
        const headers = { ...credentials(operation, test.alice), ...json };
        expect((await send(url, operation.method, path, headers, '{')).status, operation.operationId).to.equal(200);
      }
  });
});

describe('the token of a revoked key', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const stage = suiteFixture(() => setStage(test));

  it('is answered like any invalid one, whatever the request asks for, and has no effect', async () => {
    const { url, runtime } = test.service;
    const { db, now } = runtime;
    const { apiKeyId } = (await db('applications').first('api_key_id as apiKeyId')) ?? expect.fail();
    await revokeApiKey(db, test.alice.clientId, now());
    const rows = async () => ({ ...(await rowsOfKey(db, apiKeyId)), audit: await db('audit_entries').count() });
    const before = await rows();
    for (const sample of samples(stage)) {
      const { operation, path, body } = sample;
      if (operation.operationId === 'generateToken') continue;
      const headers = { ...credentials(operation, test.alice), ...json };
      const invalid = await refused(401, url, operation.method, path, { ...json, authorization: 'Bearer a.b.c' });
      const id = /[0-9a-f-]{36}/;
      for (const target of [path, path.replace(id, newId()), path.replace(id, '%E0%A4%A'), path.replace(/\?.*/, '')]) {
        const answer = await refused(401, url, operation.method, target, headers, JSON.stringify(body));
        expect(answer.text, target).to.equal(invalid.text);
      }
    }
    expect(await rows()).to.deep.equal(before);
  });
});
