import { expect } from 'chai';
import { basePath } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { Receiver } from '../../harness/peers/receiver.ts';
import { eventually } from '../../harness/process/signals.ts';
import { type RawAnswer, send } from '../../harness/service/client.ts';
import { startLoggedService } from './logged-service.ts';
import { exchange, json } from './requests.ts';

databases('either');

const lead = 'confidential.lead+kyc-verified+eid-verified@mail.example';
const guest = 'confidential.guest@mail.example';
const failing = 'confidential+kyc-verified+forensic-failed@mail.example';
const names = { lead: 'Confidencia Reservada', document: 'Gross 4711.00 of Confidencia' };
const webhookSecret = 'whsec_Q29uZmlkZW50aWFsLVdlYmhvb2stU2VjcmV0';
const badToken = 'eyJhbGciOiJIUzI1NiJ9.Y29uZmlkZW50aWFs.c2lnbmF0dXJl';
const badSecret = 'confidential-but-wrong';

describe('the log of a whole story, including failures', () => {
  const answers: { id: string; answer: RawAnswer }[] = [];
  const secrets = [
    lead,
    guest,
    failing,
    names.lead,
    names.document,
    webhookSecret,
    badToken,
    badSecret,
    'confidential',
  ];

  const messages = (id: string) =>
    logged
      .lines()
      .filter(({ correlation_id }) => correlation_id === id)
      .map(({ msg }) => msg);

  /** Sends a request with its own correlation id. */
  const ask = async (id: string, method: string, path: string, body?: string, authorization?: string) => {
    const { client } = logged;
    const headers = { authorization: authorization ?? `Bearer ${client.token}`, ...json, 'x-request-id': id };
    const answer = await send(client.url, method, `${basePath}${path}`, headers, body);
    answers.push({ id, answer });
    return answer;
  };
  const basic = (secret: string) => {
    const encoded = Buffer.from(`${logged.client.clientId}:${secret}`).toString('base64');
    secrets.push(encoded);
    return `Basic ${encoded}`;
  };
  const application = (title: string, ...emails: string[]) =>
    JSON.stringify({ title, tenants: emails.map((email, index) => ({ email, is_lead: index === 0 })) });

  const logged = suiteFixture(() => startLoggedService());
  const receiver = suiteFixture(() => Receiver.start());
  before(async () => {
    secrets.push(logged.client.clientSecret, await logged.client.authenticate());
    await goodStory();
    await refusals();
    await unexpectedFailures();
    await eventually('the failing analysis was logged', () => logged.text().includes('The simulated analysis failed'));
    await eventually('every request was logged', () => answers.every(({ id }) => messages(id).includes('request')));
  });

  async function goodStory(): Promise<void> {
    const tenantId = await logged.tenantWithDocument(lead, names.lead, names.document);
    const failingId = await logged.tenantWithDocument(failing, names.lead, names.document);
    await ask('token', 'POST', '/authenticate/token', '', basic(logged.client.clientSecret));
    receiver.answer = () => (receiver.received.length < 2 ? 500 : 200);
    const webhook = JSON.stringify({ url: receiver.url, secret: webhookSecret });
    await ask('webhook', 'POST', '/webhooks/create-webhook', webhook);
    const created = await ask('create', 'POST', '/applications/create-application', application('Flat', lead, guest));
    const id = JSON.parse(created.text).data.application_id;
    await ask('create-other', 'POST', '/applications/create-application', application('Flat', failing));
    await ask('get', 'GET', `/applications/${id}`);
    await ask('name', 'PATCH', `/applications/${id}/participants/${guest}`, JSON.stringify({ name: names.lead }));
    const eid = JSON.stringify({ redirect_url: 'https://letting.example/?confidential=1' });
    const link = JSON.parse((await ask('eid', 'POST', `/tenants/initiate-eid/${tenantId}`, eid)).text).data;
    const kyc = JSON.parse((await ask('kyc', 'GET', `/tenants/initiate-kyc/${tenantId}`)).text).data;
    await ask('kyc-failing', 'GET', `/tenants/initiate-kyc/${failingId}`);
    for (const page of [link.verification_link, kyc.verification_url]) {
      secrets.push(String(page).split('/').at(-1) ?? '');
      await send(logged.client.url, 'GET', new URL(page).pathname);
    }
    for (const event of ['EID_SUCCESS', 'KYC_VERIFICATION_DATA', 'FORENSIC_ANALYSIS_DATA']) await receiver.next(event);
    await ask('remove', 'DELETE', `/applications/${id}/participants/${guest}`);
  }

  async function refusals(): Promise<void> {
    await ask('bad-secret', 'POST', '/authenticate/token', '', basic(badSecret));
    await ask('bad-token', 'GET', '/property-management/workspaces', undefined, `Bearer ${badToken}`);
    await ask('bad-email', 'POST', '/applications/create-application', application('Flat', `${lead}@@`));
    await ask('bad-json', 'POST', '/applications/create-application', `{"title":"${lead}`);
    await ask('bad-path', 'GET', `/applications/${lead}%zz`);
    await ask('bad-address', 'POST', '/webhooks/create-webhook', `{"url":"http://10.0.0.1/confidential"}`);
    await ask('unknown-path', 'GET', `/nothing/${lead}?token=${badToken}`);
    await ask('unknown-method', 'PUT', `/applications/a/participants/${lead}`);
    await exchange(logged.client.url, `GET /${lead} HTTP/1.1\r\nAuthorization: Bearer ${badToken}\0\r\n\r\n`);
  }

  /** Missing tables, and an unexpected constraint whose Postgres error names the offending values. */
  async function unexpectedFailures(): Promise<void> {
    const { db } = logged.service.runtime;
    const create = '/applications/create-application';
    const webhook = JSON.stringify({ url: receiver.url, secret: webhookSecret });
    const withoutTable = async (table: string, work: () => Promise<RawAnswer>) => {
      await db.schema.renameTable(table, `${table}_away`);
      await work();
      await db.schema.renameTable(`${table}_away`, table);
    };
    await withoutTable('participants', () => ask('500-create', 'POST', create, application('Flat', lead, guest)));
    await withoutTable('webhooks', () => ask('500-webhook', 'POST', '/webhooks/create-webhook', webhook));
    await withoutTable('api_keys', () =>
      ask('500-token', 'POST', '/authenticate/token', '', basic(logged.client.clientSecret)),
    );
    await db.raw('create unique index unforeseen on participants (email)');
    await ask('500-unforeseen', 'POST', create, application('Flat', lead, 'new@mail.example'));
  }

  it('shows no token, secret, e-mail, name, document or link', () => {
    for (const secret of secrets) expect(logged.text()).not.to.include(secret);
  });

  it('has one line for each request, with its correlation id and status', () => {
    for (const { id, answer } of answers) {
      const [line, ...others] = logged
        .lines()
        .filter(({ msg, correlation_id }) => msg === 'request' && correlation_id === id);
      expect(others, id).to.deep.equal([]);
      expect(line?.status, id).to.equal(answer.status);
      expect(answer.headers['x-request-id']).to.equal(id);
    }
  });

  it('has the cause of each unexpected failure under its request’s correlation id, and none for a refusal', () => {
    const failed = logged.lines().filter(({ msg }) => msg === 'request failed');
    const unexpected = ['500-create', '500-webhook', '500-token', '500-unforeseen'];
    expect(answers.filter(({ answer }) => answer.status === 500).map(({ id }) => id)).to.deep.equal(unexpected);
    expect(failed.map(({ correlation_id }) => correlation_id)).to.deep.equal(unexpected);
  });

  it('carries the request’s correlation id into its jobs, up to the delivery of the event', async () => {
    for (const id of ['eid', 'kyc'])
      await eventually(`the delivery that ${id} led to was logged`, () => messages(id).includes('delivery attempted'));
  });

  it('has a level and a time in every line', () => {
    for (const line of logged.lines()) expect(line).to.include.keys('level', 'time', 'msg');
  });
});
