import { expect } from 'chai';
import jwt from 'jsonwebtoken';
import { basePath } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import type { RawAnswer } from '../../harness/service/client.ts';
import { useService } from '../../harness/service/service.ts';
import { exchange, onlyAnswer } from '../edge/requests.ts';
import { type Forge, forgeries, genuineClaims, genuineHeader, signed } from './token-forgeries.ts';

databases('either');

const PATH = '/property-management/workspaces';

describe('a forged access token', () => {
  let forge: Forge;
  let nonsense: RawAnswer;
  const test = useService();
  before(async () => {
    const { db, keys } = test.service.runtime;
    const row = await db('api_keys').where({ client_id: test.alice.clientId }).first();
    const ids = { apiKeyId: row?.id ?? '', clientId: test.alice.clientId, landlordId: test.landlords.ours };
    forge = { token: await spellable(), ours: keys.token[0], ...ids };
    nonsense = await listWith('nonsense');
  });

  const listWith = (token: string) => test.alice.raw('GET', PATH, { headers: { authorization: `Bearer ${token}` } });
  /** A token whose signature differs between base64 and base64url. */
  const spellable = async (): Promise<string> => {
    const token = await test.alice.authenticate();
    return /[-_]/.test(token.split('.')[2] ?? '') ? token : spellable();
  };
  const expectRefused = (answer: RawAnswer) => {
    expect(answer.status, answer.text).to.equal(401);
    expect(answer.text).to.equal(nonsense.text);
    expect(answer.headers['www-authenticate']).to.equal('Bearer realm="api", error="invalid_token"');
  };

  it('is built like genuine tokens, which are accepted whether signed by hand or by the library', async () => {
    const { ours, token } = forge;
    expect(JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())).to.deep.equal(
      genuineHeader(forge),
    );
    for (const genuine of [
      token,
      signed(genuineHeader(forge), genuineClaims(forge), ours.key),
      jwt.sign(genuineClaims(forge), ours.key, { algorithm: 'HS256', keyid: ours.id }),
    ])
      expect((await listWith(genuine)).status).to.equal(200);
  });

  for (const [about, table] of Object.entries(forgeries))
    describe(`is refused like a random string for ${about}:`, () => {
      for (const [what, forged] of Object.entries(table))
        it(what, async () => {
          const token = forged(forge);
          expect(token).to.not.equal(forge.token);
          expectRefused(await listWith(token));
        });
    });

  it('is refused when any single character of a valid token has changed', async () => {
    for (let place = 0; place < forge.token.length; place++) {
      const other = forge.token[place] === 'A' ? 'B' : 'A';
      expectRefused(await listWith(forge.token.slice(0, place) + other + forge.token.slice(place + 1)));
    }
  });

  describe('a valid access token', () => {
    it('is accepted only in the Authorization header: not in the query, a body, a cookie or another header', async () => {
      const { token } = forge;
      const elsewhere: Record<string, string>[] = [
        { cookie: `access_token=${token}; token=${token}` },
        { authorization: `Bearer ${token} more` },
        { authorization: `Bearer more ${token}` },
        { 'x-authorization': `Bearer ${token}` },
        { 'proxy-authorization': `Bearer ${token}` },
        { 'x-access-token': token },
        { 'x-http-authorization': `Bearer ${token}`, 'x-forwarded-authorization': `Bearer ${token}` },
      ];
      for (const headers of elsewhere) expect((await test.alice.raw('GET', PATH, { headers })).status).to.equal(401);
      const query = `${PATH}?access_token=${token}&token=${token}&authorization=Bearer%20${token}`;
      expect((await test.alice.raw('GET', query)).status).to.equal(401);
      for (const [type, body] of [
        ['application/x-www-form-urlencoded', `access_token=${token}`],
        ['application/json', JSON.stringify({ access_token: token, authorization: `Bearer ${token}` })],
      ] as const)
        expect(
          (await test.alice.raw('POST', '/webhooks/create-webhook', { headers: { 'content-type': type }, body }))
            .status,
        ).to.equal(401);
    });

    it('is refused beside a second Authorization header, in either order', async () => {
      const good = `Authorization: Bearer ${forge.token}`;
      const ask = async (...lines: string[]) => {
        const head = [`GET ${basePath}${PATH} HTTP/1.1`, 'Host: api', 'Connection: close', ...lines];
        return onlyAnswer(await exchange(test.service.url, `${head.join('\r\n')}\r\n\r\n`)).status;
      };
      expect(await ask(good)).to.equal(200);
      for (const other of ['Authorization: Bearer x', 'authorization: Basic eDp5', 'AUTHORIZATION:', good]) {
        expect(await ask(good, other), other).to.equal(401);
        expect(await ask(other, good), other).to.equal(401);
      }
    });

    it('is still accepted after all of this', async () => {
      expect((await listWith(forge.token)).status).to.equal(200);
    });
  });
});
