import { expect } from 'chai';
import fc from 'fast-check';
import {
  FIELD_MESSAGES,
  fieldMessage,
  REFUSALS,
  refusedMethod,
  tooLargeBody,
  tooLargeHead,
} from '../../core/messages.ts';
import { nearMiss } from '../../core/rules/near-miss.ts';
import { basePath } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { basicOf, send } from '../../harness/service/client.ts';
import { useService } from '../../harness/service/service.ts';
import { setStage } from '../../harness/service/stage.ts';
import { MAX_BODY_BYTES } from '../../http/edge/bounded-body.ts';
import { MAX_HEAD_BYTES } from '../../http/edge/raw-refusal.ts';
import { readGuide } from '../guides/guide.ts';
import { breaksOf } from '../properties/breaks.ts';
import { credentials, exchange, json, onlyAnswer, refused, samples, samplesWithBody } from './requests.ts';

databases('either');

/** The wording of Ajv and the engine around it. */
const RAW =
  /must NOT|must match|must pass|must be (?:string|boolean|integer|number|object|array|equal|[<>])|propert|url encoded|undefined/;

const SEED = 25;

const messages: Record<string, string> = REFUSALS;

describe('the messages of invalid requests', () => {
  const test = useService();
  const stage = suiteFixture(() => setStage(test));

  it('are never the validator’s, whichever keyword of the contract a body violates', async () => {
    for (const { operation, path, body, schema } of samplesWithBody(stage))
      for (const { keyword, changes } of breaksOf(schema ?? {})) {
        const [change] = fc.sample(changes, { numRuns: 1, seed: SEED });
        const headers = { ...credentials(operation, test.alice), ...json };
        const faulty = JSON.stringify(change?.(body));
        if (faulty === undefined || faulty === 'null') continue;
        const { text } = await refused(400, test.service.url, operation.method, path, headers, faulty);
        expect(JSON.parse(text).message, `${operation.operationId}: ${keyword}`).to.not.match(RAW);
      }
  });

  it('are never the validator’s when the path or the query is invalid', async () => {
    const faulty = samples(stage).flatMap(({ operation, path }) => [
      ...(path.includes('%40') || path.includes('@')
        ? [{ operation, path: path.replace(/[^/]*(?:%40|@)[^/]*/, 'nobody') }]
        : []),
      ...(path.includes('workspace_id=')
        ? ['', '?workspace_id=', '?workspace_id=7', '?workspace_id=a:b'].map((query) => ({
            operation,
            path: path.replace(/\?.*/, query),
          }))
        : []),
    ]);
    expect(faulty).to.have.lengthOf.at.least(5);
    for (const { operation, path } of faulty) {
      const headers = { ...credentials(operation, test.alice), ...json };
      const body = operation.method === 'PATCH' ? '{"name":"A"}' : undefined;
      const { text } = await refused(400, test.service.url, operation.method, path, headers, body);
      expect(JSON.parse(text).message, path).to.not.match(RAW);
    }
  });

  it('suggest the field of the contract that a misspelt one probably means', async () => {
    const ask = async (body: object) => {
      const headers = { authorization: `Bearer ${test.alice.token}`, ...json };
      const path = '/api/v1/applications/create-application';
      return JSON.parse((await send(test.service.url, 'POST', path, headers, JSON.stringify(body))).text).message;
    };
    const email = 'mara.lindt@mail.example';
    for (const misspelt of ['isLead', 'is_leed', 'is_laed', 'IS_LEAD'])
      expect(await ask({ title: 'T', tenants: [{ email, [misspelt]: true }] })).to.include(
        `tenants.0.${misspelt}: is not a field of this request. Did you mean \`is_lead\`?`,
      );
    for (const other of ['name', 'x', 'a/b', 'is_lead'.repeat(2000)])
      expect(await ask({ title: 'T', tenants: [{ email, is_lead: true, [other]: true }] })).to.not.include(
        'Did you mean',
      );
  });

  it('say where the operations are listed when the path is unknown', async () => {
    for (const path of ['/nothing', '/api/v1/aplications']) {
      const { text } = await refused(404, test.service.url, 'GET', path);
      expect(JSON.parse(text).message).to.equal('Path not found. GET /openapi.yaml lists the operations.');
    }
    expect((await send(test.service.url, 'GET', '/openapi.yaml')).status).to.equal(200);
  });

  it('come from the table when a request is refused as a whole, and the guide explains each', async () => {
    const { alice, service } = test;
    const create = `${basePath}/applications/create-application`;
    const login = `${basePath}/authenticate/token`;
    const bearer = { authorization: `Bearer ${alice.token}` };
    const post = (headers: Record<string, string>, body?: string) =>
      send(service.url, 'POST', create, { ...bearer, ...headers }, body);
    const raw = async (bytes: string) => onlyAnswer(await exchange(service.url, bytes));
    const lead = `${basePath}/applications/${stage.applicationId}/participants/${encodeURIComponent(stage.lead)}`;
    // `connections` waits for a slow request, `fair-turns` floods the service, and `unexpected-failure` breaks it.
    const provoked: Record<
      Exclude<keyof typeof REFUSALS, 'tooSlow' | 'overloaded' | 'busy' | 'unexpected'>,
      () => Promise<{ text: string }>
    > = {
      notHttp: () => raw('HELLO\r\n\r\n'),
      noTunnel: () => raw('CONNECT api:443 HTTP/1.1\r\nHost: api\r\n\r\n'),
      badHost: () => raw('GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n'),
      malformedPath: () => send(service.url, 'GET', `${basePath}/applications/%zz`, bearer),
      notJsonType: () => post({}, '{}'),
      noBody: () => post(json),
      notJson: () => post(json, '{"title":'),
      contentEncoding: () => post({ ...json, 'content-encoding': 'compress' }, '{}'),
      brokenBody: () => post({ ...json, 'content-encoding': 'gzip' }, '{}'),
      noCredentials: () => send(service.url, 'POST', login),
      wrongCredentials: () =>
        send(service.url, 'POST', login, { authorization: `Basic ${basicOf(alice.clientId, 'wrong')}` }),
      noToken: () => send(service.url, 'POST', create),
      wrongToken: () => post({ authorization: 'Bearer wrong' }),
      unknownPath: () => send(service.url, 'GET', '/nothing'),
      dailyVerifications: async () => {
        const { db } = service.runtime;
        const key = await db('api_keys').where({ client_id: alice.clientId }).first('id');
        const day = new Date().toISOString().slice(0, 10);
        const used = { day, kind: 'kyc verifications' as const, api_key_id: key?.id ?? '', used: 1_000_000 };
        await db('daily_uses').insert(used).onConflict(['day', 'kind', 'api_key_id']).merge(['used']);
        const { id } = await test.tenant('late@mail.example', { of: alice });
        return send(service.url, 'GET', `${basePath}/tenants/initiate-kyc/${id}`, bearer);
      },
      leadStays: () => send(service.url, 'DELETE', lead, bearer),
    };
    for (const [name, ask] of Object.entries(provoked))
      expect({ [name]: JSON.parse((await ask()).text).message }).to.deep.equal({ [name]: messages[name] });
    const tooLarge = await post(json, 'a'.repeat(200_000));
    expect(JSON.parse(tooLarge.text).message).to.equal(tooLargeBody(MAX_BODY_BYTES));
    const head = `GET / HTTP/1.1\r\nHost: a\r\nCookie: a=${'b'.repeat(20_000)}\r\nConnection: close\r\n\r\n`;
    expect(JSON.parse((await raw(head)).text).message).to.equal(tooLargeHead(MAX_HEAD_BYTES));
    const explained = readGuide('errors.md');
    const all = [
      ...Object.values(messages),
      tooLargeBody(MAX_BODY_BYTES),
      tooLargeHead(MAX_HEAD_BYTES),
      refusedMethod('GET'),
    ];
    expect(all.filter((message) => !explained.includes(`\`${message}\``))).to.deep.equal([]);
  });

  it('come from one table, and each forms the end of a sentence', () => {
    for (const [keyword, message] of Object.entries(FIELD_MESSAGES))
      expect(message('2'), keyword).to.match(/^(?:is|must) .*[^.]$/);
    expect(fieldMessage('keywordOfTomorrow', { limit: 1 })).to.equal('is not valid');
  });

  it('suggest a name for one or two typos, and none for a different name', () => {
    const known = ['title', 'tenants', 'url'];
    expect(['titel', 'Title', 'tennants', 'uri'].map((name) => nearMiss(name, known))).to.deep.equal([
      'title',
      'title',
      'tenants',
      'url',
    ]);
    expect(['til', 'u', 'events', ''].map((name) => nearMiss(name, known))).to.deep.equal(Array(4).fill(undefined));
  });
});
