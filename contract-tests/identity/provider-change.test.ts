import { expect } from 'chai';
import { type Service, startService } from '../../bin/service/service.ts';
import { createLog } from '../../core/log.ts';
import { readConfig } from '../../core/settings/config.ts';
import { WebBrowser } from '../../harness/browser/web-browser.ts';
import { settingsOf } from '../../harness/database/databases.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { OidcProvider } from '../../harness/peers/oidc-provider.ts';
import { PATIENCE } from '../../harness/process/process.ts';
import { eventually, signalWork } from '../../harness/process/signals.ts';
import { Client, send } from '../../harness/service/client.ts';
import { startTestService, type TestService } from '../../harness/service/service.ts';
import { StripeStandIn } from '../../harness/service/stripe.ts';

databases('either');

const BACK = 'https://letting.example/back';

describe('a verification started by the provider before a change', () => {
  let test: TestService;
  let second: Service | undefined;
  const stripe = suiteFixture(() => StripeStandIn.start());
  const oidc = suiteFixture(() => OidcProvider.start());
  afterEach(async () => {
    await second?.close();
    await test.stop();
  });

  const begin = async (env: Record<string, string>) => {
    test = await startTestService(env);
    const tenants = [{ email: 'marta@mail.example', is_lead: true }];
    await test.alice.ok('createApplication', { body: { title: 'Change', tenants } });
    return (await test.tenant('marta@mail.example', { name: 'Marta Secret' })).id;
  };
  /** Restarts the service on the same data with other settings. */
  const restart = async (env: Record<string, string>) => {
    const { database } = test.config;
    await test.service.close();
    const config = readConfig({
      PORT: '0',
      DATA_DIR: test.folder,
      ...settingsOf(database),
      SANDBOX_DELAY_MS: '50',
      ...PATIENCE,
      ...env,
    });
    second = await startService(config, { log: createLog('silent') });
    signalWork(second.runtime.work);
    const alice = new Client(second.url, test.alice.clientId, test.alice.clientSecret);
    await alice.authenticate();
    return { alice, service: second };
  };
  const pathOf = (url: string) => new URL(url).pathname;
  const initiate = async (client: Client, tenantId: string) =>
    pathOf((await client.ok('initiateKyc', { params: { tenantId } })).data.verification_url);

  it('has ended: the page says so, another one can be started, and none of it reaches the new provider', async () => {
    const tenantId = await begin({});
    const page = await initiate(test.alice, tenantId);
    await new WebBrowser().agree(`${test.service.url}${page}`);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    await send(test.service.url, 'POST', `${page}/name`, form, 'name=Marta+Very+Secret');
    const { alice, service } = await restart(stripe.env);
    const shown = await send(service.url, 'GET', page);
    expect(shown.status).to.equal(200);
    expect(shown.text).to.include('Something went wrong');
    expect(await initiate(alice, tenantId)).to.not.equal(page);
    expect(stripe.sessions.size).to.equal(1);
    expect(decodeURIComponent(JSON.stringify(stripe.requests))).to.not.include('Secret');
    const rows = await service.runtime.db('kyc_verifications').orderBy('created_at').select('status', 'provider');
    expect(rows).to.deep.equal([
      { status: 'failed', provider: 'sandbox' },
      { status: 'pending', provider: 'stripe' },
    ]);
  });

  it('has ended in the other direction too, without a request', async () => {
    const tenantId = await begin(stripe.env);
    const page = await initiate(test.alice, tenantId);
    const { service } = await restart({});
    // Only now: the stopped service might have leased it and postponed it.
    await service.runtime.db('kyc_verifications').update({ due_at: new Date(0).toISOString(), leased_by: null });
    await eventually('it ended', async () =>
      service.runtime.db('kyc_verifications').where({ status: 'failed' }).first('id'),
    );
    expect((await send(service.url, 'GET', page)).text).to.include('Something went wrong');
  });

  it('of the national eID ends with a page, and brings no documents from another provider', async () => {
    const tenantId = await begin({});
    const params = { tenantId };
    const { data } = await test.alice.ok('initiateEid', { params, body: { redirect_url: BACK } });
    const { service } = await restart(oidc.env());
    const due_at = new Date(0).toISOString();
    await service.runtime.db('eid_flows').update({ status: 'downloading', due_at, leased_by: null });
    await eventually('it ended', async () => service.runtime.db('eid_flows').where({ status: 'failed' }).first('id'));
    const link = await send(service.url, 'GET', pathOf(data.verification_link));
    expect([link.status, link.headers['location']]).to.deep.equal([200, undefined]);
    expect(link.text).to.include('Your identity could not be confirmed');
    expect(await service.runtime.db('documents').where({ tenant_id: tenantId })).to.deep.equal([]);
  });
});
