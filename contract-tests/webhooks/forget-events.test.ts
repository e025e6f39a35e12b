import { expect } from 'chai';
import { unsealJson } from '../../core/secrets/secrets.ts';
import { Receiver } from '../../harness/peers/receiver.ts';
import { DeliveriesByHand } from '../../harness/service/deliveries-by-hand.ts';
import { startTestService, type TestService } from '../../harness/service/service.ts';
import { forgetOldEvents } from '../../jobs/privacy/retain.ts';

const DAY_MS = 86_400_000;
const ANSWER = 'what the endpoint answered';

describe('what events told', () => {
  let test: TestService;
  let hand: DeliveriesByHand;
  let receiver: Receiver;
  const begin = async (env: Record<string, string> = {}) => {
    test = await startTestService({ RUN_WORKERS: 'false', ...env });
    hand = new DeliveriesByHand(test);
    receiver = await Receiver.start();
    receiver.answer = () => ({ status: 200, body: ANSWER });
    await test.alice.ok('createWebhook', { body: { url: receiver.url, secret: 'a secret' } });
  };
  afterEach(async () => {
    await test.stop();
    await receiver.stop();
  });

  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
  /** An event this many days old, and its deliveries. */
  const eventOf = async (days: number, isAttempted = true) => {
    test.setNow(daysAgo(days));
    await test.alice.authenticate();
    const [delivery] = await hand.emit(test.alice, daysAgo(days));
    if (!delivery) throw new Error('There is no delivery.');
    if (isAttempted) await hand.attempt(delivery.id);
    test.setNow(new Date());
    return delivery;
  };
  const left = async () => {
    const { db } = test.service.runtime;
    const [events, deliveries] = [await db('events').select('id', 'body'), await db('deliveries').select('id')];
    const attempts = await db('delivery_attempts').select('delivery_id', 'response_excerpt');
    return { events, deliveries, attempts };
  };
  const forget = () => forgetOldEvents(test.service.runtime);

  it('is kept for thirty days, and that it was delivered for ninety', async () => {
    await begin();
    const [old, middle, young] = [await eventOf(91), await eventOf(31), await eventOf(29)];
    await forget();
    const { events, deliveries, attempts } = await left();
    expect(deliveries.map(({ id }) => id)).to.have.members([middle.id, young.id]);
    const bodies = new Map(events.map(({ id, body }) => [id, body]));
    expect(bodies.has(old.event_id)).to.equal(false);
    expect(bodies.get(middle.event_id)).to.equal(null);
    const kept = unsealJson(bodies.get(young.event_id) ?? '', test.service.runtime.keys.encryption);
    expect(kept).to.equal('{"event":"EID_SUCCESS","data":null}');
    expect(attempts).to.have.deep.members([
      { delivery_id: middle.id, response_excerpt: null },
      { delivery_id: young.id, response_excerpt: ANSWER },
    ]);
  });

  it('is kept for as long as the operator says', async () => {
    await begin({ WEBHOOK_PAYLOAD_DAYS: '1', WEBHOOK_RECORD_DAYS: '2' });
    const [, middle] = [await eventOf(3), await eventOf(1.5)];
    await forget();
    const { events, deliveries } = await left();
    expect(deliveries.map(({ id }) => id)).to.deep.equal([middle.id]);
    expect(events.map(({ body }) => body)).to.deep.equal([null]);
  });

  it('ends deliveries that still wait when it is forgotten, and sends nothing of them', async () => {
    await begin();
    const { id } = await eventOf(31, false);
    await forget();
    const end = { status: 'failed', due_at: null, last_error: 'the payload has expired', attempts: 0 };
    expect(await hand.delivery(id)).to.include(end);
    await hand.attempt(id);
    expect(receiver.received).to.be.empty;
  });

  it('is forgotten completely, however much there is', async () => {
    await begin();
    const { db } = test.service.runtime;
    const { event_id } = await eventOf(31);
    const model = await db('events').where({ id: event_id }).first();
    if (!model) throw new Error('There is no event.');
    const many = Array.from({ length: 1_200 }, (_, index) => ({ ...model, id: `event-${index}` }));
    await db.batchInsert('events', many, 100);
    await forget();
    expect(await db('events').whereNotNull('body')).to.be.empty;
    await db('events').update({ created_at: daysAgo(91).toISOString() });
    await forget();
    expect(await left()).to.deep.equal({ events: [], deliveries: [], attempts: [] });
  });

  it('takes secrets with it that no longer sign', async () => {
    await begin();
    const { db } = test.service.runtime;
    const webhook_id = (await db('webhooks').first('id'))?.id ?? '';
    const secret = (id: string, days: number) => ({
      id,
      webhook_id,
      sealed_secret: '',
      expires_at: daysAgo(days).toISOString(),
    });
    await db('former_webhook_secrets').insert([secret('over', 1), secret('in force', -1)]);
    await forget();
    expect(await db('former_webhook_secrets').select('id')).to.deep.equal([{ id: 'in force' }]);
  });
});
