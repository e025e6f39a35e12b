import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { build, type Parts } from '../../bin/service/build.ts';
import { createLog } from '../../core/log.ts';
import { readConfig } from '../../core/settings/config.ts';
import { createApiKey } from '../../db/access/api-keys.ts';
import { createLandlord } from '../../db/access/landlords.ts';
import { addTenant } from '../../db/applications/tenants.ts';
import { WebBrowser } from '../../harness/browser/web-browser.ts';
import { preparedDatabase } from '../../harness/database/databases.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { OidcProvider } from '../../harness/peers/oidc-provider.ts';
import { Receiver } from '../../harness/peers/receiver.ts';
import { PATIENCE, type ServiceProcess, startServiceProcess } from '../../harness/process/process.ts';
import { eventually } from '../../harness/process/signals.ts';
import { until } from '../../harness/process/until.ts';
import { Client } from '../../harness/service/client.ts';
import { BACK } from '../../harness/service/eid-world.ts';

databases('either');

describe('a national eID flow whose process is killed', () => {
  let folder: string;
  let env: Record<string, string>;
  /** Reads what the program stored. */
  let outside: Parts;
  const receivers: Receiver[] = [];
  const running: ServiceProcess[] = [];

  const provider = suiteFixture(() => OidcProvider.start());
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'screening-process-'));
    provider.people.set('ada', { level: 'high', claims: { name: 'Ada Lovelace' } });
    env = { ...PATIENCE, DATA_DIR: folder, DATABASE_URL: await preparedDatabase(folder), ...provider.env() };
    outside = await build(readConfig(env), { log: createLog('silent') });
    receivers.push(await Receiver.start(), await Receiver.start());
  });
  after(async () => {
    for (const service of running) await service.kill();
    for (const receiver of receivers) await receiver.stop();
    await outside.close();
    await rm(folder, { recursive: true, force: true });
  });

  const start = async (): Promise<string> => {
    const service = await startServiceProcess(env);
    running.push(service);
    provider.register(`${service.url}/verify/eid/callback`);
    return service.url;
  };
  const prepare = async (url: string, email: string): Promise<{ tenantId: string; link: string }> => {
    const { db } = outside.runtime;
    const landlord = await createLandlord(db, 'Casa Clara', new Date());
    const { apiKey, clientSecret } = await createApiKey(db, landlord.id, 'Alice', new Date());
    const { tenant } = await db.transaction((trx) => addTenant(trx, { email, name: 'Ada' }, new Date()));
    const client = new Client(url, apiKey.client_id, clientSecret);
    await client.authenticate();
    for (const receiver of receivers) await client.ok('createWebhook', { body: { url: receiver.url } });
    await client.ok('createApplication', { body: { title: 'Flat', tenants: [{ email, is_lead: true }] } });
    const started = await client.ok('initiateEid', { params: { tenantId: tenant.id }, body: { redirect_url: BACK } });
    return { tenantId: tenant.id, link: started.data.verification_link };
  };

  it('loses no document between the callback and the end of the download, and sends EID_SUCCESS once per webhook', async () => {
    const { db, providers } = outside.runtime;
    const url = await start();
    const { tenantId, link } = await prepare(url, 'ada@mail.example');
    const browser = new WebBrowser();
    const callback = await browser.signIn(link, `${url}/verify/eid/callback?`, { login: 'ada' });
    provider.faults.set('userinfo', 'hang');
    const page = await browser.open(callback);
    expect([page.status, page.location]).to.deep.equal([303, BACK]);
    await eventually('the download is under way', () => provider.count('userinfo') > 0);
    await running.pop()?.kill();
    expect(await db('documents').where({ tenant_id: tenantId })).to.deep.equal([]);
    provider.faults.clear();
    const restarted = await start();
    for (const receiver of receivers) await receiver.next('EID_SUCCESS');
    const documents = await db('documents').where({ tenant_id: tenantId });
    expect(documents.map(({ name, source }) => ({ name, source }))).to.deep.equal([
      { name: 'national-identity.json', source: 'eid' },
    ]);
    const [bytes] = await Promise.all(documents.map(({ sha256 }) => Array.fromAsync(providers.documents.get(sha256))));
    expect(Buffer.concat(bytes ?? []).toString()).to.include('Ada Lovelace');
    await until(
      'nothing is left to deliver',
      async () => !(await db('deliveries').whereNot({ status: 'delivered' }).first()),
    );
    for (const { received } of receivers) expect(received.map(({ event }) => event)).to.deep.equal(['EID_SUCCESS']);
    const again = await browser.open(`${restarted}${new URL(link).pathname}`);
    expect([again.status, again.location], 'the link tells the end').to.deep.equal([200, null]);
    expect(again.text).to.include('Your identity is confirmed');
  });
  it('lets a person who was returning try again', async () => {
    const { db } = outside.runtime;
    await Promise.all(running.splice(0).map((service) => service.kill()));
    const url = await start();
    const { tenantId, link } = await prepare(url, 'grace@mail.example');
    const browser = new WebBrowser();
    const callback = await browser.signIn(link, `${url}/verify/eid/callback?`, { login: 'ada' });
    const asked = provider.count('token');
    provider.faults.set('token', 'hang');
    const lost = browser.open(callback).catch((error: unknown) => error);
    await eventually('the provider was asked', () => provider.count('token') > asked);
    await running.pop()?.kill();
    expect(await lost).to.be.instanceOf(Error);
    provider.faults.clear();
    const restarted = await start();
    const again = await browser.signIn(
      `${restarted}${new URL(link).pathname}`,
      `${restarted}/verify/eid/callback?`,
      {},
    );
    expect((await browser.open(again)).location).to.equal(BACK);
    await until('the documents are there', () => db('documents').where({ tenant_id: tenantId }).first());
  });
});
