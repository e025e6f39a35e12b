import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { basePath } from '../../harness/contract/contract.ts';
import { eventExamples } from '../../harness/contract/named-examples.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { Receiver, verify } from '../../harness/peers/receiver.ts';
import { spawnProgram, terminalOf } from '../../harness/process/process.ts';
import { eventually, hear } from '../../harness/process/signals.ts';
import { type RawAnswer, send } from '../../harness/service/client.ts';
import { useService } from '../../harness/service/service.ts';
import { startMock } from '../../scripts/mock/mock-server.ts';

databases('sqlite');

const json = { 'content-type': 'application/json' };
const bearer = { authorization: 'Bearer any' };
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const PERSON = { email: 'marta.ruiz@mail.example', is_lead: true };

/** The parts of an error that callers rely on. */
function comparable({ status, headers, text }: RawAnswer) {
  const { 'content-type': type, 'www-authenticate': challenge, allow } = headers;
  return { status, text, type, challenge, allow };
}

describe('the mock', () => {
  const seen: unknown[] = [];
  const mock = suiteFixture(() => startMock(0, { answered: (request) => seen.push(request), undelivered: () => {} }));

  const ask = async (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) => {
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await send(mock.url, method, basePath + path, { ...bearer, ...json, ...headers }, text);
    return { status: answer.status, body: JSON.parse(answer.text), headers: answer.headers };
  };

  it('sends every event to a webhook’s address immediately, as in the contract and signed like the service’s', async () => {
    const receiver = await Receiver.start();
    const register = (body: object, prefer = 'code=200') => ask('POST', '/webhooks/create-webhook', { prefer }, body);
    try {
      await register({ url: receiver.url, secret: '' });
      await register({ url: receiver.url }, 'code=401');
      await register({ url: receiver.url, secret: SECRET });
      for (const event of ['EID_SUCCESS', 'KYC_VERIFICATION_DATA', 'FORENSIC_ANALYSIS_DATA'])
        for (const delivery of await receiver.next(event)) verify(delivery, SECRET);
      expect(receiver.received.map(({ body }) => JSON.parse(body))).to.have.deep.members(eventExamples);
      // Earlier, refused requests sent no callback.
      expect(receiver.received).to.have.length(3);
      await register({ url: receiver.url });
      const [, unsigned] = await receiver.next('EID_SUCCESS', 2);
      expect(unsigned?.headers).to.not.have.any.keys('webhook-id', 'webhook-timestamp', 'webhook-signature');
    } finally {
      await receiver.stop();
    }
  });

  it('allows a browser app of any origin to call it and read answers, with every header it requests', async () => {
    const origin = { origin: 'http://localhost:5173' };
    const wished = 'authorization,content-type,prefer';
    const preflight = { ...origin, 'access-control-request-method': 'PATCH', 'access-control-request-headers': wished };
    const path = `${basePath}/applications/any/participants/jonas.weber@mail.example`;
    const { status, headers } = await send(mock.url, 'OPTIONS', path, preflight);
    expect(status).to.equal(204);
    expect(headers['access-control-allow-headers']).to.equal(wished);
    expect(headers['access-control-allow-methods']).to.include('PATCH');
    const answer = await ask('GET', '/applications/any', origin);
    for (const { 'access-control-allow-origin': allowed } of [headers, answer.headers]) expect(allowed).to.equal('*');
  });

  it('lists the available states when asked for an unknown one', async () => {
    const messageOf = async (prefer: string) => {
      const { status, body } = await ask('GET', '/applications/any', { prefer });
      expect(status).to.equal(400);
      return body.message;
    };
    expect(await messageOf('code=418')).to.match(
      /getApplication has no status 418; it has 200, 400, 401, 404, 500[.]$/,
    );
    expect(await messageOf('code=404, example=gone')).to.match(/404 has no example gone; it has notFound[.]$/);
    expect(await messageOf('example=gone')).to.match(
      /getApplication has no example gone; it has couple, .*, notFound, /,
    );
    for (const prefer of ['404', 'code', 'code=', 'code=4o4', 'code=constructor', 'respond-async', 'example=a b'])
      expect(await messageOf(prefer)).to.match(
        /^Prefer: ".+" is not understood; send code=404, example=<name>, or both[.]$/,
      );
    expect(await messageOf('exmaple=gone')).to.match(/Did you mean `example`[?]$/);
    expect(await messageOf('code = "404"; example=gone')).to.match(/404 has no example gone/);
  });

  it('prints each request on the terminal, with the example that answered it', async () => {
    seen.length = 0;
    await ask('GET', '/applications/any?a=1', { prefer: 'code=404' });
    await ask('GET', '/nothing');
    const target = `${basePath}/applications/any?a=1`;
    expect(seen).to.deep.equal([
      { method: 'GET', target, status: 404, example: 'notFound' },
      { method: 'GET', target: `${basePath}/nothing`, status: 404, example: undefined },
    ]);
  });

  it('finds an example by its name alone, whatever its status', async () => {
    const answer = await ask('GET', '/applications/any', { prefer: 'example=notFound' });
    expect([answer.status, answer.body.message]).to.deep.equal([404, 'Application not found.']);
  });

  it('shows a webhook without a secret when none was given', async () => {
    const { body } = await ask('POST', '/webhooks/create-webhook', {}, { url: 'http://127.0.0.1:1/hook' });
    expect(body.data).to.not.have.property('secret');
  });

  it('keeps the X-Request-Id that it receives, on every answer', async () => {
    for (const path of ['/applications/any', '/applications/%zz', '/nothing']) {
      const { headers } = await ask('GET', path, { 'x-request-id': 'mine' });
      expect(headers['x-request-id'], path).to.equal('mine');
    }
  });

  it('shows a requested error instead of the one for an invalid request', async () => {
    const { body } = await ask('POST', '/applications/create-application', { prefer: 'code=400, example=noLead' }, {});
    expect(body.message).to.match(/none has[.]$/);
  });

  describe('refuses in the service’s words', () => {
    const test = useService({ RUN_WORKERS: 'false' });

    const create = '/applications/create-application';
    const person = '/applications/any/participants/jonas.weber@mail.example';
    const property = '/property-management/properties';
    const cases: [string, string, string, (string | object | undefined)?, Record<string, string>?][] = [
      ['no token', 'GET', '/applications/any', undefined, { authorization: '' }],
      ['no token, before anything else', 'POST', create, '{', { authorization: '' }],
      ['no credentials', 'POST', '/authenticate/token', undefined, { authorization: '' }],
      ['another kind of credentials', 'POST', '/authenticate/token', undefined, { authorization: 'Bearer any' }],
      ['a body that is not JSON', 'POST', create, '{"title": '],
      ['another type of body', 'POST', create, '{}', { 'content-type': 'text/plain' }],
      ['no body', 'POST', create],
      ['a body of another kind', 'POST', create, '[]'],
      ['a missing field', 'POST', create, { tenants: [PERSON] }],
      ['a missing field further down', 'POST', create, { title: 'Flat', tenants: [{ is_lead: true }] }],
      ['a surplus field', 'PATCH', person, { email: 'jonas@mail.example' }],
      ['a surplus field further down', 'POST', create, { title: 'Flat', tenants: [{ ...PERSON, name: 'Marta' }] }],
      ['a wrong type', 'PATCH', person, { is_guarantor: 'yes' }],
      ['a text that is too long', 'POST', create, { title: 'x'.repeat(256), tenants: [PERSON] }],
      ['a text that is too short', 'POST', '/webhooks/create-webhook', { url: 'https://a.example', secret: '' }],
      ['too many items', 'POST', create, { title: 'Flat', tenants: Array(6).fill(PERSON) }],
      ['a wrong format', 'POST', create, { title: 'Flat', tenants: [{ ...PERSON, email: 'marta' }] }],
      ['a wrong format in the path', 'DELETE', '/applications/any/participants/nobody'],
      ['a wrong format in the query', 'GET', '/property-management/properties/any?workspace_id=1'],
      ['a missing parameter', 'GET', '/property-management/properties/any'],
      ['several faults', 'POST', create, { title: 42, tenants: [] }],
      ['a malformed escape sequence', 'GET', '/applications/%zz'],
      ['a malformed escape sequence, with the errors', 'GET', `${property}/%zz?workspace_id=1`],
      ['no token, before a malformed escape sequence', 'GET', '/applications/%zz', undefined, { authorization: '' }],
      ['a body that is too large', 'POST', create, JSON.stringify({ title: 'x'.repeat(200_000) })],
      ['the body null', 'POST', create, 'null'],
      ['faults in path and body', 'PATCH', '/applications/any/participants/nobody', { is_guarantor: 'yes', a: 1 }],
      ['a parameter twice', 'GET', `${property}/any?workspace_id=1&workspace_id=2`],
      ['an empty parameter', 'GET', `${property}/any?workspace_id=`],
      ['a method that is not allowed', 'PUT', '/applications/any'],
      ['HEAD', 'HEAD', '/applications/any'],
      ['a path of no operation', 'GET', '/nothing'],
    ];
    for (const [what, method, path, body, headers = {}] of cases)
      it(what, async () => {
        const text = typeof body === 'object' ? JSON.stringify(body) : body;
        const authorization = `Bearer ${test.alice.token}`;
        const target = basePath + path;
        const real = await send(test.service.url, method, target, { authorization, ...json, ...headers }, text);
        const mocked = await send(mock.url, method, target, { ...bearer, ...json, ...headers }, text);
        expect(comparable(mocked)).to.deep.equal(comparable(real));
        expect(mocked.headers['x-request-id']).to.match(/^[0-9a-f-]{36}$/);
      });
  });

  it('listens on PORT, says where it is, prints within 80 columns, exits on Ctrl-C, and names a port in use', async () => {
    const port = new URL(mock.url).port;
    const program = new URL('../../scripts/mock/mock.ts', import.meta.url).pathname;
    const taken = await promisify(execFile)(process.execPath, [program], { env: { PORT: port } }).catch(
      (error) => error,
    );
    expect(taken.code).to.equal(1);
    expect(taken.stderr).to.equal(`Port ${port} is taken. Take another: PORT=${Number(port) + 1} npm run mock\n`);
    const child = spawnProgram('../../scripts/mock/mock.ts', { PORT: '0', ...terminalOf(80) });
    let printed = '';
    hear(child.stdout, (text) => {
      printed += text;
    });
    await eventually('the mock listens', () => printed.includes('listed below'));
    const url = /http:\S+/.exec(printed)?.[0];
    expect((await fetch(`${url}/applications/any`, { headers: bearer })).status).to.equal(200);
    await fetch(`${url}/property-management/properties/${'0'.repeat(60)}`, { headers: bearer });
    await eventually('both requests are listed', () => /GET +\S+any.*\n.*GET +\S+…/.test(printed));
    for (const line of printed.split('\n')) expect(line.length, line).to.be.at.most(80);
    child.kill('SIGINT');
    expect((await once(child, 'exit'))[0]).to.equal(0);
  });
});
