import { expect } from 'chai';
import { WebBrowser } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture, testFixture } from '../../harness/mocha/fixtures.ts';
import type { Client } from '../../harness/service/client.ts';
import { startEidWorld } from '../../harness/service/eid-world.ts';
import { startTestService } from '../../harness/service/service.ts';
import { StripeStandIn } from '../../harness/service/stripe.ts';
import { CANCELED, StripeWorld } from '../../harness/service/stripe-world.ts';
import { ofWork } from '../../jobs/conditions/of-work.ts';

databases('either');

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const BACK = 'https://letting.example/back';

describe('verifications at a provider that charges for them', () => {
  const world = testFixture(() => StripeWorld.start());
  const initiate = async (tenantId: string) =>
    (await world.test.alice.ok('initiateKyc', { params: { tenantId } })).data.verification_url;
  /** Lets an hour pass since the person's sessions began. */
  const anHourLater = async (tenantId: string) => {
    const { db } = world.test.service.runtime;
    for (const { id, created_at } of await world.verifications(tenantId))
      await db('kyc_verifications')
        .where({ id })
        .update({ created_at: new Date(Date.parse(created_at) - HOUR_MS).toISOString() });
  };

  it('are one session for a person who is removed and invited again six times within an hour', async () => {
    const { alice } = world.test;
    const email = 'again@mail.example';
    const { id: tenantId } = await world.test.tenant(email);
    const links = new Set<string>();
    for (let round = 0; round < 6; round++) {
      const tenants = [
        { email: 'lead@mail.example', is_lead: true },
        { email, is_lead: false },
      ];
      const { application_id } = (await alice.ok('createApplication', { body: { title: 'Loft', tenants } })).data;
      links.add(await initiate(tenantId));
      const params = { applicationId: application_id, email };
      if (round < 5) await alice.ok('removeParticipant', { params });
    }
    expect([links.size, world.stripe.sessions.size]).to.deep.equal([1, 1]);
    const [link = ''] = links;
    expect((await new WebBrowser().agree(link)).status).to.equal(303);
    expect((await new WebBrowser().open(`${link}/continue`)).location).to.include(`${world.stripe.url}/start/`);
    world.stripe.session.status = 'verified';
    await world.deliverMessage('identity.verification_session.verified', world.stripe.session);
    await world.ended(tenantId, 'verified');
  });

  it('are one an hour, however it ends: until then a call returns its link', async () => {
    const { tenantId, session } = await world.startedVerification('canceled@mail.example');
    const link = await initiate(tenantId);
    session.status = 'canceled';
    await world.deliverMessage(CANCELED, session);
    await world.ended(tenantId, 'failed');
    for (let call = 0; call < 5; call++) expect(await initiate(tenantId)).to.equal(link);
    expect(world.stripe.sessions.size).to.equal(1);
    await anHourLater(tenantId);
    expect(await initiate(tenantId)).to.not.equal(link);
    expect(world.stripe.sessions.size).to.equal(2);
  });

  it('cost one look at the provider in five seconds, however often the person returns', async () => {
    const { tenantId } = await world.startedVerification('returns@mail.example');
    const link = await initiate(tenantId);
    const browser = new WebBrowser();
    const requests = () => world.looks();
    const startedAt = Date.now();
    for (let visit = 0; visit < 100; visit++) expect((await browser.open(`${link}/returned`)).status).to.equal(200);
    await Promise.all(Array.from({ length: 100 }, () => browser.open(`${link}/returned`)));
    const periods = 1 + Math.ceil((Date.now() - startedAt) / 5_000);
    // A look at the outcome, and one for the address where the person may continue.
    expect(requests()).to.be.at.most(2 * periods);
    const before = requests();
    const visits = Array.from({ length: 50 }, () => browser.open(`${link}/continue`));
    const statuses = (await Promise.all(visits)).map(({ status }) => status);
    expect(new Set(statuses)).to.deep.equal(new Set([303, 503]));
    expect(requests() - before).to.equal(10);
  });
});

describe('the daily limit of an API key’s verifications', () => {
  const stripe = suiteFixture(() => StripeStandIn.start());
  const test = suiteFixture(() => startTestService({ ...stripe.env, DAILY_VERIFICATIONS_PER_KEY: '3' }));
  const start = async (client: Client, operation: 'initiateKyc' | 'initiateEid', name: string) => {
    const { id: tenantId } = await test.tenant(`${name}@mail.example`, { of: client });
    const body = operation === 'initiateEid' ? { body: { redirect_url: BACK } } : {};
    return client.call(operation, { params: { tenantId }, ...body });
  };

  it('refuses more with 400, for 25 invented people at once, until the next day, and shows operators the key', async () => {
    const { runtime } = test.service;
    const noon = new Date(`${new Date(Date.now() + DAY_MS).toISOString().slice(0, 10)}T12:00:00.000Z`);
    test.setNow(noon);
    for (const client of [test.alice, test.bob]) await client.authenticate();
    const people = Array.from({ length: 25 }, (_, number) => `invented-${number}`);
    const answers = await Promise.all(people.map((name) => start(test.alice, 'initiateKyc', name)));
    expect(answers.filter(({ status }) => status === 200)).to.have.length(3);
    const refused = answers.filter(({ status }) => status === 400);
    expect(refused).to.have.length(22);
    expect(refused[0]?.text).to.include('The API key has reached its daily limit of verifications');
    expect(stripe.sessions.size).to.equal(3);
    expect((await start(test.alice, 'initiateEid', 'eid')).status, 'another kind').to.equal(200);
    expect((await start(test.bob, 'initiateKyc', 'of-bob')).status, 'another key').to.equal(200);
    const [begun = ''] = people.filter((_, place) => answers[place]?.status === 200);
    expect((await start(test.alice, 'initiateKyc', begun)).status, 'one under way').to.equal(200);
    const { limits } = ofWork(runtime.db, { runWorkers: true }, noon);
    expect((await limits()).found).to.equal(
      `API keys that have reached a daily limit: ${test.alice.clientId} (3 kyc verifications).`,
    );
    test.setNow(new Date(noon.getTime() + DAY_MS));
    await test.alice.authenticate();
    expect((await start(test.alice, 'initiateKyc', 'next-day')).status).to.equal(200);
  });
});

describe('a national eID flow at a provider that charges for it', () => {
  const world = suiteFixture(() => startEidWorld());

  it('is the same for the same redirect_url while it waits for the person, and its visits ask the provider ten times at most', async () => {
    const { alice } = world.test;
    const { id: tenantId } = await world.test.tenant('same@mail.example', { of: alice });
    const initiate = async (redirect_url: string) =>
      (await alice.ok('initiateEid', { params: { tenantId }, body: { redirect_url } })).data.verification_link;
    const link = await initiate(BACK);
    for (let call = 0; call < 5; call++) expect(await initiate(BACK)).to.equal(link);
    expect(await initiate(`${BACK}?other`)).to.not.equal(link);
    const before = world.provider.count('discovery');
    const startedAt = Date.now();
    const browser = new WebBrowser();
    for (let visit = 0; visit < 100; visit++) await browser.open(link);
    const periods = Math.ceil((Date.now() - startedAt) / 50_000);
    expect(world.provider.count('discovery') - before).to.be.at.most(10 * periods);
  });
});
