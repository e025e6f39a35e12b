import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { operator } from '../../bin/admin/cli/operator.ts';
import { build, type Parts } from '../../bin/service/build.ts';
import { createLog } from '../../core/log.ts';
import { readConfig } from '../../core/settings/config.ts';
import { createApiKey } from '../../db/access/api-keys.ts';
import { createLandlord } from '../../db/access/landlords.ts';
import { addTenant } from '../../db/applications/tenants.ts';
import { recordAudit } from '../../db/audit/audit.ts';
import { addProperty } from '../../db/properties/properties.ts';
import { addWorkspace } from '../../db/properties/workspaces.ts';
import { chooseAtEid } from '../../harness/browser/eid-page.ts';
import { choose } from '../../harness/browser/kyc-page.ts';
import { freshDatabase } from '../../harness/database/databases.ts';
import { databases } from '../../harness/database/dialect.ts';
import { findInDatabase, findInFolder } from '../../harness/database/every-column.ts';
import { workDone } from '../../harness/database/open-work.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { Receiver } from '../../harness/peers/receiver.ts';
import { PATIENCE, spawnProgram } from '../../harness/process/process.ts';
import { eventually, hearLines } from '../../harness/process/signals.ts';
import { until } from '../../harness/process/until.ts';
import { basicOf, Client, send } from '../../harness/service/client.ts';
import { ofTheirKey } from '../../harness/service/tenant-of-key.ts';
import { addDocuments, storingDocuments } from '../../jobs/documents/add-document.ts';
import { erasePerson } from '../../jobs/privacy/privacy-erase.ts';
import { sampleDocument } from '../../providers/sandbox/sample-document.ts';

databases('either');

/** A unique word for each place that takes text, and its meaning. */
class Canaries {
  readonly words = new Map<string, string>();
  readonly #stem: string;

  constructor(stem: string) {
    this.#stem = stem;
  }

  /** @param place the place in which the word is planted */
  of(place: string): string {
    const known = this.words.get(place);
    if (known) return known;
    const word = `${this.#stem}${String(this.words.size + 1).padStart(3, '0')}x`;
    this.words.set(place, word);
    return word;
  }

  /** The places whose words occur in a text. */
  in(text: string): string[] {
    const small = text.toLowerCase();
    return [...this.words].filter(([, word]) => small.includes(word.toLowerCase())).map(([place]) => place);
  }
}

describe('words planted in every field', () => {
  const anybodys = new Canaries('Kanari');
  const persons = new Canaries('Stieglitz');
  /** Secrets, which must not be readable anywhere. */
  const secrets = new Map<string, string>();
  const lines: string[] = [];
  let folder: string;
  let parts: Parts;
  let client: Client;
  let url: string;
  let stop = async () => {};
  let landlordId: string;
  let tenantId: string;
  let applicationId: string;
  const email = `${persons.of('e-mail')}@mail.example`;
  const friend = `friend.${anybodys.of("friend's e-mail")}@mail.example`;

  const receiver = suiteFixture(() => Receiver.start());
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'screening-canaries-'));
    const env = {
      DATA_DIR: folder,
      DATABASE_URL: await freshDatabase(folder),
      SANDBOX_DELAY_MS: '50',
      WEBHOOK_RETRIES: '1s',
      ...PATIENCE,
    };
    parts = await build(readConfig(env), { log: createLog('silent') });
    receiver.answer = () => ({ status: 200, body: `${persons.of('answer of an endpoint')} ${email}` });
    const credentials = await provision();
    const child = spawnProgram('../../bin/api.ts', { ...env, PORT: '0', LOG_LEVEL: 'trace' });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    hearLines(child.stdout, (line) => lines.push(line));
    url = await eventually('the service listens', () => listening());
    client = new Client(url, credentials.clientId, credentials.clientSecret);
    stop = async () => {
      child.kill('SIGTERM');
      await exited;
    };
    await wholeFlow();
    await failures();
  });
  after(async () => {
    await stop();
    await parts.close();
    await rm(folder, { recursive: true, force: true });
  });

  const log = () => lines.join('\n');
  const db = () => parts.runtime.db;
  const listening = (): string | undefined => {
    const line = lines.find((candidate) => candidate.includes('"listening"'));
    return line === undefined ? undefined : JSON.parse(line).url;
  };
  /** Records a secret of a link or header and returns it. */
  const secret = (name: string, value: string): string => {
    expect(value, name).to.have.length.above(10);
    secrets.set(name, value);
    return value;
  };
  const lastPart = (address: string) => address.split('/').at(-1) ?? '';

  async function provision() {
    const now = new Date();
    ({ id: landlordId } = await createLandlord(db(), anybodys.of('landlord'), now));
    const { apiKey, clientSecret } = await createApiKey(db(), landlordId, anybodys.of('API key'), now);
    await db().transaction(async (trx) => {
      const workspace = await addWorkspace(trx, landlordId, anybodys.of('workspace'), now);
      await addProperty(trx, workspace, {
        property_id: anybodys.of('property id'),
        property_reference: anybodys.of('property reference'),
        street: anybodys.of('street'),
        municipality: anybodys.of('municipality'),
        province: anybodys.of('province'),
      });
    });
    return { clientId: apiKey.client_id, clientSecret: secret('client secret', clientSecret) };
  }

  async function wholeFlow(): Promise<void> {
    secret('access token', await client.authenticate());
    const hook = { url: `${receiver.url}?key=${anybodys.of('address of a webhook')}` };
    await client.ok('createWebhook', {
      body: { ...hook, secret: secret('webhook secret', `whs-${anybodys.of('webhook secret')}`) },
    });
    const title = `${persons.of('name')} ${persons.of('surname')}, ${anybodys.of('title')}`;
    const tenants = [
      { email, is_lead: true },
      { email: friend, is_lead: false },
    ];
    ({ application_id: applicationId } = (await client.ok('createApplication', { body: { title, tenants } })).data);
    const name = `${persons.of('name')} ${persons.of('surname')}`;
    await client.ok('updateParticipant', { params: { applicationId, email }, body: { name } });
    await client.ok('getApplication', { params: { applicationId } });
    await client.ok('getProperty', await anyProperty());
    const { tenant } = await db().transaction((trx) => addTenant(trx, { email, name }, new Date()));
    tenantId = tenant.id;
    await handIn();
    await verify();
    await openLinks();
    await workDone(db());
    expect(await db()('forensic_runs').where({ status: 'completed' })).to.not.be.empty;
    expect(await db()('deliveries').where({ status: 'delivered' })).to.have.length.at.least(3);
  }

  async function anyProperty() {
    const workspace = await db()('workspaces').first('workspace_id');
    return {
      params: { property_id: anybodys.of('property id') },
      query: { workspace_id: workspace?.workspace_id ?? '' },
    };
  }

  async function handIn(): Promise<void> {
    const document = {
      name: `${persons.of("document's name")}.pdf`,
      content: Readable.from([sampleDocument([persons.of("document's content")])]),
    };
    await storingDocuments(parts.runtime, [document], async (trx, stored) =>
      addDocuments(trx, parts.runtime.queue, await ofTheirKey(trx, tenantId), stored, 'operator', new Date()),
    );
  }

  async function verify(): Promise<void> {
    const params = { tenantId };
    const body = { redirect_url: `https://letting.example/back?who=${persons.of('redirect_url')}` };
    const { verification_link } = (await client.ok('initiateEid', { params, body })).data;
    secret('link of an eID', lastPart(verification_link));
    await chooseAtEid(verification_link, 'Confirm my identity');
    const kyc = (await client.ok('initiateKyc', { params })).data;
    const address = String(Object.values(kyc).find((value) => String(value).startsWith('http')));
    secret('link of a KYC', lastPart(address));
    await choose(address, 'verified');
  }

  /** Acts as the invited person and as a person who completes a profile. */
  async function openLinks(): Promise<void> {
    const mail = await until('the invitation was sent', async () => {
      const sent = await db()('invites').where({ status: 'sent' }).first('id');
      return sent && parts.runtime.providers.mailbox?.read(sent.id);
    });
    const token = secret('link of an invitation', /\/invitation\/([\w-]+)/.exec(mail.text)?.[1] ?? '');
    expect((await fetch(`${url}/invitation/${token}`)).status).to.equal(200);
    await fetch(`${url}/invitation/${anybodys.of('link of an invitation')}`);
    await fetch(`${url}/onboarding/${anybodys.of('link to a profile')}`);
    const basic = { authorization: `Basic ${basicOf(client.clientId, client.clientSecret)}` };
    await fetch(`${url}/mailbox`, { headers: basic });
    await fetch(`${url}/mailbox/${anybodys.of('id of a mail')}`, { headers: basic });
    const posted = { method: 'POST', body: new URLSearchParams({ answer: anybodys.of('field of a form') }) };
    await fetch(`${url}/invitation/${token}`, posted);
  }

  async function failures(): Promise<void> {
    await refusedRequests();
    await troubledWebhooks();
    await brokenDatabase();
  }

  async function refusedRequests(): Promise<void> {
    const bearer = { authorization: `Bearer ${client.token}` };
    const json = { ...bearer, 'content-type': 'application/json' };
    const odd = {
      'user-agent': anybodys.of('user agent'),
      referer: `https://${anybodys.of('referer')}.example/`,
      cookie: `session=${anybodys.of('cookie')}`,
      // A well-formed correlation id is logged by design.
      'x-request-id': `${anybodys.of('request id')}@no id`,
      'x-forwarded-for': anybodys.of('forwarded for'),
    };
    const path = (rest: string) => `/api/v1${rest}`;
    const basic = (user: string, password: string) => ({ authorization: `Basic ${basicOf(user, password)}` });
    const create = path('/applications/create-application');
    const token = path('/auth/generate-token');
    const wrong = (value: unknown) => JSON.stringify(value);
    for (const [method, target, headers, body] of [
      ['GET', path(`/${anybodys.of('path')}?q=${anybodys.of('query')}`), { ...bearer, ...odd }],
      ['GET', `/${anybodys.of('path outside')}`, odd],
      ['POST', create, { ...json, authorization: `Bearer ${anybodys.of('wrong token')}` }, '{}'],
      ['POST', create, json, `{"title": "${anybodys.of('unreadable JSON')}`],
      ['POST', create, json, wrong({ title: 1, [anybodys.of('name of a field')]: anybodys.of('unknown field') })],
      ['POST', create, json, wrong({ title: 'x', tenants: [{ email: anybodys.of('no e-mail'), is_lead: true }] })],
      ['POST', create, { ...bearer, 'content-type': anybodys.of('media type') }, anybodys.of('body of no type')],
      ['POST', create, json, wrong({ title: anybodys.of('too long').repeat(200_000), tenants: [] })],
      ['POST', token, basic(anybodys.of('client id'), anybodys.of('wrong client secret'))],
      ['POST', token, { authorization: anybodys.of('no scheme') }],
      [anybodys.of('method').toUpperCase(), create, json],
      ['GET', `/verify/kyc/${anybodys.of('link of a KYC')}`, odd],
      ['GET', `/verify/eid/${anybodys.of('link of an eID')}`, odd],
      ['GET', `/verify/eid/callback?state=${anybodys.of('state')}&code=${anybodys.of('code')}`, odd],
      ['POST', '/providers/kyc', { 'stripe-signature': anybodys.of('signature') }, anybodys.of('forged message')],
      ['GET', `/%zz${anybodys.of('broken path')}`, odd],
    ] as [string, string, Record<string, string>, string?][])
      await send(url, method, target, headers, body).catch(() => {});
    for (const part of ['applicationId', 'tenantId'] as const) {
      const operation = part === 'tenantId' ? 'initiateKyc' : 'getApplication';
      await client.call(operation, { params: { [part]: anybodys.of(part) } } as never);
    }
    await client.call('createWebhook', { body: { url: `ftp://${anybodys.of('refused address')}/` } });
  }

  /** Endpoints that fail in different ways. */
  async function troubledWebhooks(): Promise<void> {
    const { port, pathname } = new URL(receiver.url);
    receiver.answer = () => ({ status: 500, body: persons.of('answer of a failing endpoint') });
    for (const place of [
      `http://${anybodys.of('host without address')}.invalid/`,
      `http://${anybodys.of('host that refuses')}.localhost:1/`,
      `http://${anybodys.of('host that fails')}.localhost:${port}${pathname}/${anybodys.of('path of a webhook')}`,
    ])
      await client.ok('createWebhook', { body: { url: place } });
    const body = { redirect_url: 'https://letting.example/' };
    const { verification_link } = (await client.ok('initiateEid', { params: { tenantId }, body })).data;
    await chooseAtEid(verification_link, 'Confirm my identity');
    await workDone(db());
    expect(await db()('deliveries').where({ status: 'failed' })).to.have.length.at.least(3);
  }

  /** Failing statements with externally supplied values. */
  async function brokenDatabase(): Promise<void> {
    const statuses: number[] = [];
    await db().schema.renameTable('participants', 'participants_away');
    try {
      const tenants = [{ email: `${anybodys.of('e-mail of a failing statement')}@mail.example`, is_lead: true }];
      const body = { title: anybodys.of('title of a failing statement'), tenants };
      statuses.push((await client.call('createApplication', { body })).status);
      const params = { applicationId, email };
      const name = anybodys.of('name of a failing statement');
      statuses.push((await client.call('updateParticipant', { params, body: { name } })).status);
    } finally {
      await db().schema.renameTable('participants_away', 'participants');
    }
    expect(statuses).to.deep.equal([500, 500]);
  }

  it('are in no log line at the most verbose level, through successes and failures', async () => {
    expect(lines.length).to.be.above(60);
    for (const told of ['"status":500', '"status":400', '"status":401', 'delivery attempted', 'document analysed'])
      await eventually(`${told} was logged`, () => log().includes(told));
    expect(anybodys.words.size + persons.words.size).to.be.above(50);
    expect([...anybodys.in(log()), ...persons.in(log())]).to.deep.equal([]);
    for (const [name, value] of secrets) expect(log().includes(value), name).to.equal(false);
  });

  it('that grant access are nowhere in the database, or in the data folder except in the mails to the invited', async () => {
    const values = [...secrets.values()];
    expect(secrets.size).to.equal(6);
    expect(await findInDatabase(db(), values)).to.deep.equal([]);
    const found = await findInFolder(folder, values);
    expect(found.filter((place) => !place.startsWith('mailbox/'))).to.deep.equal([]);
  });

  it('are found in the database where they belong, which proves that they were planted', async () => {
    expect((await findInDatabase(db(), anybodys.words.values())).length).to.be.above(8);
    expect((await findInDatabase(db(), persons.words.values())).length).to.be.above(8);
  });

  it('about a person are gone once the person is erased, and are sent to no one', async () => {
    await workDone(db());
    const told = receiver.received.length;
    const note: Parameters<typeof erasePerson>[2]['note'] = (trx, ...entry) => recordAudit(trx, operator(), ...entry);
    await erasePerson(parts.runtime, email, { note });
    expect(await findInDatabase(db(), persons.words.values())).to.deep.equal([]);
    expect(await findInFolder(folder, persons.words.values())).to.deep.equal([]);
    await client.refused('initiateKyc', 404, { params: { tenantId } });
    const { participants } = (await client.ok('getApplication', { params: { applicationId } })).data;
    expect(participants.map((participant) => participant.email)).to.deep.equal([friend]);
    expect(receiver.received).to.have.length(told);
    expect([...anybodys.in(log()), ...persons.in(log())]).to.deep.equal([]);
  });
});
