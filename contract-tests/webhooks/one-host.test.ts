import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { testFixture } from '../../harness/mocha/fixtures.ts';
import { Receiver } from '../../harness/peers/receiver.ts';
import { until } from '../../harness/process/until.ts';
import { aMinuteLater } from '../../harness/service/minute-later.ts';
import { useServicePerTest } from '../../harness/service/service.ts';

databases('either');

const WEBHOOKS = 101;

describe('one host behind many webhooks of an API key', () => {
  const test = useServicePerTest();
  const host = testFixture(() => Receiver.start());
  const working = testFixture(() => Receiver.start());
  const results = (receiver: Receiver) =>
    receiver.received.filter(({ event }) => event === 'FORENSIC_ANALYSIS_DATA').length;

  /** An analysed tenant, whose result was sent to each webhook of the host and to one that works. */
  const analysed = async () => {
    const register = (url: string) => test.alice.ok('createWebhook', { body: { url } });
    for (let number = 0; number < WEBHOOKS; number++) await register(`${host.url}/${number}`);
    await register(working.url);
    const email = 'host+kyc-verified+eid-verified@mail.example';
    const { id: tenantId } = await test.tenant(email, { of: test.alice, documents: 1 });
    await test.alice.ok('initiateKyc', { params: { tenantId } });
    await working.next('FORENSIC_ANALYSIS_DATA');
    return tenantId;
  };
  const again = async (tenantId: string) => {
    await aMinuteLater(test.service.runtime.db, tenantId);
    await test.alice.ok('runForensic', { params: { tenantId } });
  };
  const forensic = (status?: string) =>
    test.service.runtime
      .db('deliveries')
      .join('events', 'events.id', 'deliveries.event_id')
      .where({ event: 'FORENSIC_ANALYSIS_DATA', ...(status ? { 'deliveries.status': status } : {}) })
      .pluck('deliveries.id');

  it('gets one delivery at first while it does not answer, then all, each at least once', async () => {
    let [atOnce, most] = [0, 0];
    const answered = Promise.withResolvers<void>();
    host.answer = async () => {
      most = Math.max(most, ++atOnce);
      await answered.promise;
      atOnce--;
      return 200;
    };
    const startedAt = Date.now();
    await analysed();
    await until('the host got one', () => most > 0);
    expect(most).to.be.at.most(1 + Math.ceil((Date.now() - startedAt) / 1_000));
    answered.resolve();
    const { db } = test.service.runtime;
    await until('each delivery has arrived', async () => {
      // Some were postponed by half a minute.
      await db('deliveries').where({ status: 'pending', leased_by: null }).update({ due_at: new Date().toISOString() });
      return (await forensic('delivered')).length === WEBHOOKS + 1;
    });
  });

  it('gets no result again while it accepts nothing and has 100 deliveries ahead, and other webhooks do', async () => {
    host.answer = () => 500;
    const tenantId = await analysed();
    expect(await forensic()).to.have.length(WEBHOOKS + 1);
    await again(tenantId);
    await working.next('FORENSIC_ANALYSIS_DATA', 2);
    expect(await forensic(), 'one more, for the webhook that works').to.have.length(WEBHOOKS + 2);
    host.answer = () => 200;
    const { db } = test.service.runtime;
    await until('its deliveries have arrived', async () => {
      await db('deliveries').where({ status: 'pending', leased_by: null }).update({ due_at: new Date().toISOString() });
      return (await forensic('delivered')).length === WEBHOOKS + 2;
    });
    const before = results(host);
    await again(tenantId);
    await until('it gets the result again', () => results(host) - before >= WEBHOOKS);
  });
});
