import { expect } from 'chai';
import { eidInTurns } from '../../bin/service/calls-in-turns.ts';
import { hashSecret } from '../../core/secrets/secrets.ts';
import { type Page, WebBrowser } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import type { Endpoint } from '../../harness/peers/oidc-provider.ts';
import { Receiver } from '../../harness/peers/receiver.ts';
import { eventually } from '../../harness/process/signals.ts';
import { until } from '../../harness/process/until.ts';
import { busyProvider, callAndLeave } from '../../harness/service/busy-provider.ts';
import { BACK, startEidWorld } from '../../harness/service/eid-world.ts';
import type { EidProvider } from '../../providers/identity/port.ts';

databases('either');

describe('national eID with an OpenID Connect provider', () => {
  const world = suiteFixture(() => startEidWorld({ DOCUMENT_LIMIT_MIB: '1' }));
  afterEach(() => {
    world.provider.faults.clear();
    world.provider.alterations.clear();
  });

  const sentBack = (page: Page) => {
    expect([page.status, page.location]).to.deep.equal([303, BACK]);
    expect(page.headers.get('cache-control')).to.equal('no-store');
    expect(page.headers.get('referrer-policy')).to.equal('no-referrer');
  };
  /** The return address of an unsuccessful flow: the person's link, which then shows the outcome. */
  const sentToOwnLink = (page: Page, link: string) => expect([page.status, page.location]).to.deep.equal([303, link]);
  const toldTheEnd = (page: Page, words: string) => {
    expect([page.status, page.location], page.text).to.deep.equal([200, null]);
    expect(page.headers.get('cache-control')).to.equal('no-store');
    expect(page.text).to.include(words).and.not.include('letting.example');
  };
  /** A page that asks to try again with the same link. */
  const toldToTryAgain = (page: Page, link: string) => {
    expect(page.status, page.text).to.equal(503);
    expect(page.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(page.text).to.include(`href="${link}"`).and.include('Asked by <strong><bdi>Casa Clara</bdi>');
  };
  const nothingTold = async (tenantId: string) => {
    expect(await world.documents(tenantId)).to.deep.equal([]);
    expect(await world.events(tenantId)).to.deep.equal([]);
  };

  it('redirects the person back, stores the documents, and only then sends EID_SUCCESS, once per webhook', async () => {
    const { tenantId, authorize } = await world.person();
    const stored: Promise<{ name: string; text: string }[]>[] = [];
    const receivers = [await Receiver.start(), await Receiver.start()];
    try {
      for (const receiver of receivers) {
        receiver.answer = () => {
          stored.push(world.documents(tenantId));
          return 200;
        };
        await world.test.alice.ok('createWebhook', { body: { url: receiver.url } });
      }
      sentBack(await authorize());
      for (const receiver of receivers) {
        const [delivery] = await receiver.next('EID_SUCCESS');
        expect(delivery?.body).to.equal('{"event":"EID_SUCCESS","data":null}');
      }
      for (const documents of await Promise.all(stored)) {
        expect(documents.map(({ name }) => name)).to.deep.equal(['national-identity.json']);
        const identity = JSON.parse(documents[0]?.text ?? '');
        expect(identity).to.deep.include({ issuer: world.provider.issuer, subject: 'ada', acr: 'high' });
        expect(identity.claims).to.include({ name: 'Ada Lovelace', birthdate: '1815-12-10' });
      }
      const { db } = world.test.service.runtime;
      await eventually(
        'no delivery is left',
        async () => !(await db('deliveries').whereNot({ status: 'delivered' }).first()),
      );
      for (const { received } of receivers) expect(received.map(({ event }) => event)).to.deep.equal(['EID_SUCCESS']);
      expect(await world.events(tenantId)).to.deep.equal(['EID_SUCCESS']);
    } finally {
      for (const receiver of receivers) await receiver.stop();
    }
  });

  it('stores identity documents attached by the provider, whatever made the first attempt fail', async () => {
    const photo = Buffer.from('the bytes of a photo');
    const attachments = [{ desc: 'Photo', ...world.provider.attach('photo', photo) }];
    const verified_claims = { verification: { evidence: [{ type: 'document', attachments }] }, claims: {} };
    world.provider.people.set('grace', { level: 'high', claims: { name: 'Grace', verified_claims } });
    world.provider.faults.set('attachments', 'unavailable');
    const { tenantId, authorize } = await world.person('grace');
    sentBack(await authorize());
    await eventually('the download failed', async () => ((await world.flow(tenantId))?.failures ?? 0) >= 1);
    await nothingTold(tenantId);
    world.provider.faults.clear();
    await world.succeeded(tenantId);
    const documents = await world.documents(tenantId);
    expect(documents.map(({ name }) => name)).to.deep.equal(['national-identity-1-Photo', 'national-identity.json']);
    expect(documents[0]?.text).to.equal(photo.toString());
  });

  it('fails when a document exceeds the limit, and stores none of them', async () => {
    const attachments = [{ desc: 'Scan', ...world.provider.attach('scan', Buffer.alloc(2 * 1024 * 1024, 'a')) }];
    const verified_claims = { verification: { evidence: [{ attachments }] }, claims: {} };
    world.provider.people.set('huge', { level: 'high', claims: { name: 'Hugh', verified_claims } });
    const { tenantId, authorize } = await world.person('huge');
    sentBack(await authorize());
    await eventually('it ended', async () => (await world.status(tenantId)) === 'failed');
    expect((await world.flow(tenantId))?.failure).to.include('1 MiB');
    await nothingTold(tenantId);
  });

  it('has no simulated sign-in', async () => {
    const { link, browser } = await world.person();
    const { location } = await browser.follow(link);
    const { searchParams } = new URL(location ?? '');
    const simulated = new URL(`/verify/eid/simulated?state=${searchParams.get('state')}`, link);
    expect((await browser.open(simulated.href)).status).to.equal(404);
  });

  it('does not redirect a person who declined, sends no event, and shows operators that they cancelled', async () => {
    const { tenantId, link, authorize } = await world.person();
    sentToOwnLink(await authorize({ no: 'access_denied' }), link);
    expect(await world.flow(tenantId)).to.include({
      status: 'cancelled',
      failure: 'The person did not finish at the provider (access_denied).',
    });
    await nothingTold(tenantId);
  });

  it('does not redirect a person whose assurance is too low, and stores nothing about them', async () => {
    const { tenantId, link, authorize } = await world.person('eve');
    sentToOwnLink(await authorize(), link);
    expect(await world.flow(tenantId)).to.include({ status: 'failed', failure: 'The assurance level is too low.' });
    await nothingTold(tenantId);
  });

  it('asks to try again after a fault of the provider or of the registration, which operators read, and the same link works', async () => {
    const expired = (body: Record<string, unknown>) => ({
      ...body,
      id_token: world.provider.resign(body['id_token'], { exp: 'soon' }),
    });
    for (const [form, alter, reason] of [
      [{ no: 'invalid_scope' }, undefined, 'The provider answered with invalid_scope.'],
      [{ no: 'temporarily_unavailable' }, undefined, 'temporarily_unavailable'],
      [{ login: 'ada' }, expired, "The provider's answer cannot be used"],
    ] as const) {
      const { tenantId, link, authorize } = await world.person();
      if (alter) world.provider.alterations.set('token', alter);
      toldToTryAgain(await authorize(form), link);
      const flow = await world.flow(tenantId);
      expect(flow).to.include({ status: 'pending' });
      expect(flow?.failure).to.include(reason);
      world.provider.alterations.clear();
      sentBack(await authorize());
      await world.succeeded(tenantId);
      expect(await world.flow(tenantId)).to.include({ failure: null });
    }
  });

  it('asks to try again while the provider is down, and the same link works afterwards', async () => {
    const { tenantId, link, browser, authorize } = await world.person();
    for (const fault of ['unavailable', 'reset'] as const) {
      world.provider.faults.set('discovery', fault);
      toldToTryAgain(await browser.open(link), link);
    }
    expect(await world.status(tenantId)).to.equal('pending');
    world.provider.faults.clear();
    sentBack(await authorize());
    await world.succeeded(tenantId);
  });

  for (const endpoint of ['discovery', 'token', 'jwks'] satisfies Endpoint[])
    it(`asks to try again when the provider's ${endpoint} went down meanwhile, and the same link works afterwards`, async () => {
      const { tenantId, link, browser, signIn, authorize } = await world.person();
      const callback = await signIn();
      world.provider.faults.set(endpoint, 'unavailable');
      toldToTryAgain(await browser.open(callback), link);
      expect(await world.status(tenantId)).to.equal('pending');
      world.provider.faults.clear();
      sentBack(await authorize());
      await world.succeeded(tenantId);
      expect(await world.documents(tenantId)).to.have.length(1);
    });

  it('accepts a return that was refused because the key has too many calls under way: nothing was sent yet', async () => {
    const { providers, db } = world.test.service.runtime;
    const { tenantId, browser, signIn } = await world.person();
    const callback = await signIn();
    const { eid } = providers;
    const { port, end } = busyProvider<EidProvider>(eid, eidInTurns, (await world.flow(tenantId))?.api_key_id ?? null);
    providers.eid = port;
    try {
      const [cookie] = browser.cookies.get(world.test.service.url) ?? [];
      const state_hash = hashSecret(new URL(callback).searchParams.get('state') ?? '');
      const isUsed = async () => (await db('eid_attempts').where({ state_hash }).first())?.used_at !== null;
      await callAndLeave(callback, `eid=${cookie?.value}`, isUsed);
      await until('the attempt can be used again', async () => !(await isUsed()));
      await end();
      sentBack(await browser.open(callback));
      await world.succeeded(tenantId);
    } finally {
      providers.eid = eid;
    }
  });

  it('retries the download while the provider is down, without losses or repetitions', async () => {
    const { tenantId, link, browser, authorize } = await world.person();
    world.provider.faults.set('userinfo', 'unavailable');
    sentBack(await authorize());
    await eventually('the download failed', async () => ((await world.flow(tenantId))?.failures ?? 0) >= 1);
    const flow = () => world.test.service.runtime.db('eid_flows').where({ tenant_id: tenantId });
    await until('it failed for the 18th time', async () => {
      // Again, in case a worker that counts the second failure was faster.
      await flow().where('failures', '<', 17).update({ failures: 17 });
      return (await world.flow(tenantId))?.failures === 18;
    });
    expect(await world.status(tenantId)).to.equal('downloading');
    await nothingTold(tenantId);
    toldTheEnd(await browser.open(link), 'Your identity is confirmed');
    world.provider.faults.clear();
    await flow().update({ due_at: new Date(0).toISOString() });
    await world.succeeded(tenantId);
    expect(await world.documents(tenantId)).to.have.length(1);
    expect(await world.events(tenantId)).to.deep.equal(['EID_SUCCESS']);
    expect(await world.flow(tenantId)).to.include({ sealed_memory: null });
  });

  it('eventually gives up a download: the operator sees why, no event is sent, and no token is kept', async () => {
    const { db } = world.test.service.runtime;
    const { tenantId, link, browser, authorize } = await world.person();
    await db('eid_flows').where({ tenant_id: tenantId }).update({ failures: 19 });
    world.provider.faults.set('userinfo', 'unavailable');
    sentBack(await authorize());
    await eventually('it was given up', async () => (await world.status(tenantId)) === 'failed');
    const flow = await world.flow(tenantId);
    expect(flow?.failure).to.include('The provider answered 503.');
    expect(flow).to.include({ sealed_memory: null, due_at: null });
    await nothingTold(tenantId);
    toldTheEnd(await browser.open(link), 'Your identity could not be confirmed');
  });

  it('continues when the provider rotates its keys, between two people and during one’s visit', async () => {
    const [first, second] = [await world.person(), await world.person()];
    sentBack(await first.authorize());
    world.provider.rotateKey();
    const callback = await second.signIn();
    world.provider.rotateKey();
    sentBack(await second.browser.open(callback));
    for (const { tenantId } of [first, second]) await world.succeeded(tenantId);
  });

  it('shows the outcome in every browser, and starts nothing at the provider once the flow is over', async () => {
    for (const [form, end, words] of [
      [{ login: 'ada' }, 'succeeded', 'Your identity is confirmed'],
      [{ no: 'access_denied' }, 'cancelled', 'The sign-in was cancelled'],
    ] as const) {
      const { tenantId, link, authorize, browser } = await world.person();
      await authorize(form);
      await eventually('the flow is over', async () => (await world.status(tenantId)) === end);
      const asked = world.provider.requests.length;
      for (const each of [browser, new WebBrowser()]) toldTheEnd(await each.open(link), words);
      expect(world.provider.requests).to.have.length(asked);
    }
  });

  it('accepts the first of two tabs to succeed, and the other changes nothing', async () => {
    const { tenantId, link, browser, signIn } = await world.person();
    const [first, second] = [await signIn(), await signIn()];
    sentBack(await browser.open(second));
    sentToOwnLink(await browser.open(first), link);
    await world.succeeded(tenantId);
    expect(await world.documents(tenantId)).to.have.length(1);
    expect(await world.events(tenantId)).to.deep.equal(['EID_SUCCESS']);
  });

  it('accepts one of two tabs that return simultaneously', async () => {
    const { tenantId, link, browser, signIn } = await world.person();
    const callbacks = [await signIn(), await signIn()];
    const pages = await Promise.all(callbacks.map((callback) => browser.open(callback)));
    expect(pages.map(({ location }) => location)).to.have.members([BACK, link]);
    await world.succeeded(tenantId);
    expect(await world.documents(tenantId)).to.have.length(1);
    expect(await world.events(tenantId)).to.deep.equal(['EID_SUCCESS']);
  });

  it('ends an expired flow: the person is informed, and their answer is ignored', async () => {
    const late = await startEidWorld({ VERIFICATION_MINUTES: '5' });
    try {
      const { tenantId, browser, link, signIn } = await late.person();
      const callback = await signIn();
      late.test.setNow(new Date(Date.now() + 5 * 60_000));
      sentToOwnLink(await browser.open(callback), link);
      expect(await late.status(tenantId)).to.equal('expired');
      toldTheEnd(await browser.open(link), 'This link has expired');
      expect(late.provider.count('token')).to.equal(0);
      expect(await late.documents(tenantId)).to.deep.equal([]);
      expect(await late.events(tenantId)).to.deep.equal([]);
    } finally {
      await late.stop();
    }
  });
});
