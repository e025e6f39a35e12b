import { expect } from 'chai';
import { hashSecret } from '../../core/secrets/secrets.ts';
import { createApiKey, revokeApiKey } from '../../db/access/api-keys.ts';
import { operations } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { Client, type RawAnswer } from '../../harness/service/client.ts';
import { useService } from '../../harness/service/service.ts';

databases('either');

const PATH = '/authenticate/token';
const HOUR_MS = 3_600_000;
const JSON_BODY = { 'content-type': 'application/json' };

const basic = (clientId: string, secret: string, scheme = 'Basic') => ({
  authorization: `${scheme} ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
});

function expectChallenge(answer: RawAnswer, scheme: 'Basic' | 'Bearer', what?: string): void {
  expect(answer.status, what ?? answer.text).to.equal(401);
  expect(answer.headers['www-authenticate'], what).to.match(new RegExp(`^${scheme} realm=`));
}

describe('generate-token', () => {
  const test = useService();

  const ask = (headers: Record<string, string>, body?: string, query = '') =>
    test.alice.raw('POST', PATH + query, { headers, ...(body === undefined ? {} : { body }) });
  const listWith = (token: string, scheme = 'Bearer') =>
    test.alice.raw('GET', '/property-management/workspaces', { headers: { authorization: `${scheme} ${token}` } });
  const newKey = async () => {
    const { db } = test.service.runtime;
    const { apiKey, clientSecret } = await createApiKey(db, test.landlords.ours, 'Another', new Date());
    return new Client(test.service.url, apiKey.client_id, clientSecret);
  };

  it('returns a bearer token valid for an hour in every part of the API, and forbids caching it', async () => {
    const answer = await test.alice.call('generateToken');
    expect(answer.status).to.equal(200);
    expect(answer.headers['cache-control']).to.equal('no-store');
    const { data } = await test.alice.ok('generateToken');
    expect(data).to.include({ token_type: 'Bearer', expires_in: 3600 });
    test.alice.token = data.access_token;
    await test.alice.ok('listWorkspaces');
    const body = { title: 'One token', tenants: [{ email: 'one-token@mail.example', is_lead: true }] };
    await test.alice.ok('createApplication', { body });
  });

  it('compares the names of both schemes case-insensitively', async () => {
    for (const scheme of ['basic', 'BASIC', 'bAsIc'])
      expect((await ask(basic(test.alice.clientId, test.alice.clientSecret, scheme))).status, scheme).to.equal(200);
    const token = await test.alice.authenticate();
    for (const scheme of ['bearer', 'BEARER']) expect((await listWith(token, scheme)).status, scheme).to.equal(200);
  });

  it('accepts a secret that contains colons', async () => {
    const { clientId } = await newKey();
    const secret = ':a:b::c:';
    await test.service.runtime
      .db('api_keys')
      .where({ client_id: clientId })
      .update({ client_secret_hash: hashSecret(secret) });
    expect((await ask(basic(clientId, secret))).status).to.equal(200);
    for (const part of ['', ':a', ':a:b::c', 'a:b::c:']) expectChallenge(await ask(basic(clientId, part)), 'Basic');
  });

  it('reads credentials only from the Basic header', async () => {
    const { clientId: client_id, clientSecret: client_secret } = test.alice;
    const json = JSON.stringify({ client_id, client_secret });
    const form = `${new URLSearchParams({ client_id, client_secret, grant_type: 'client_credentials' })}`;
    expectChallenge(await ask({}), 'Basic', 'nothing');
    expectChallenge(await ask(JSON_BODY, json), 'Basic', 'JSON');
    expectChallenge(await ask({ 'content-type': 'application/x-www-form-urlencoded' }, form), 'Basic', 'form');
    expectChallenge(await ask({}, undefined, `?${form}`), 'Basic', 'query');
    expectChallenge(
      await ask({ ...JSON_BODY, ...basic('wrong', 'wrong') }, json),
      'Basic',
      'JSON beside a wrong Basic',
    );
  });

  it('refuses every header that is not well-formed Basic', async () => {
    const { clientId, clientSecret } = test.alice;
    const plain = `${clientId}:${clientSecret}`;
    const headers = [
      'Basic',
      'Basic ',
      `Basic ${plain}`,
      `Basic ${Buffer.from(clientId).toString('base64')}`,
      `Basic ${Buffer.from(':').toString('base64')}`,
      'Basic AAAA////',
      `Bearer ${Buffer.from(plain).toString('base64')}`,
      `Bearer ${test.alice.token}`,
      plain,
    ];
    for (const authorization of headers) expectChallenge(await ask({ authorization }), 'Basic', authorization);
  });

  it('answers a wrong secret and an unknown client_id alike, byte for byte', async () => {
    const { clientId, clientSecret } = test.alice;
    const wrongSecret = await ask(basic(clientId, `${clientSecret}x`));
    expectChallenge(wrongSecret, 'Basic');
    const others = [
      await ask(basic(clientId, '')),
      await ask(basic('nobody', clientSecret)),
      await ask(basic(`${clientId}\0`, clientSecret)),
      await ask(basic("' or 1=1 --", clientSecret)),
      await ask(basic(test.bob.clientId, clientSecret)),
    ];
    for (const other of others) {
      expectChallenge(other, 'Basic');
      expect(other.text).to.equal(wrongSecret.text);
      expect(other.headers['www-authenticate']).to.equal(wrongSecret.headers['www-authenticate']);
    }
  });

  it('ignores any body', async () => {
    const good = basic(test.alice.clientId, test.alice.clientSecret);
    for (const [type, body] of [
      ['application/json', '{"client_id": '],
      ['application/json', JSON.stringify({ client_id: 'somebody', client_secret: 'else' })],
      ['text/plain', 'a'.repeat(1024 * 1024)],
      ['nonsense', '\0'],
    ] as const)
      expect((await ask({ ...good, 'content-type': type }, body)).status, type).to.equal(200);
    expectChallenge(await ask(JSON_BODY, '{"client_id": '), 'Basic', 'malformed JSON without credentials');
  });

  it('gives a revoked key no token, and its token stops working immediately', async () => {
    const key = await newKey();
    const token = await key.authenticate();
    expect((await listWith(token)).status).to.equal(200);
    const unknown = await ask(basic('nobody', 'x'));
    await revokeApiKey(test.service.runtime.db, key.clientId, new Date());
    expectChallenge(await listWith(token), 'Bearer');
    const answer = await key.call('generateToken');
    expectChallenge(answer, 'Basic');
    expect(answer.text, 'a revoked key reads like an unknown one').to.equal(unknown.text);
  });

  describe('every other operation', () => {
    it('refuses a missing or invalid token with 401, before it checks anything else', async () => {
      const credentials = basic(test.alice.clientId, test.alice.clientSecret).authorization;
      const headers = [undefined, 'Bearer', 'Bearer ', 'Bearer a.b.c', credentials, `Token ${test.alice.token}`];
      for (const { operationId, method, template } of operations.filter(({ template }) => template !== PATH))
        for (const authorization of headers) {
          const path = template.replace(/\{\w+\}/g, '%zz');
          const answer = await test.alice.raw(method, path, {
            headers: { ...JSON_BODY, ...(authorization === undefined ? {} : { authorization }) },
            ...(method === 'GET' ? {} : { body: '{"malformed": ' }),
          });
          expectChallenge(answer, 'Bearer', `${operationId} ${authorization}`);
        }
    });

    it('refuses a token that is an hour old, and accepts it until the millisecond before', async () => {
      for (const start of ['2026-03-02T09:15:27.000Z', '2026-03-02T09:15:27.001Z', '2027-12-31T23:59:59.999Z']) {
        const issuedAt = new Date(start).getTime();
        test.setNow(new Date(issuedAt));
        const token = await test.alice.authenticate();
        test.setNow(new Date(issuedAt + HOUR_MS - 1));
        expect((await listWith(token)).status, `${start} and 3599.999 s`).to.equal(200);
        test.setNow(new Date(issuedAt + HOUR_MS));
        expectChallenge(await listWith(token), 'Bearer', `${start} and 3600.000 s`);
      }
    });
  });
});
