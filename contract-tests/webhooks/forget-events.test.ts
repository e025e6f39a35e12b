import { expect } from 'chai';
import { unsealJson } from '../../core/secrets/secrets.ts';
import { BODY } from '../../db/webhooks/event-bodies.ts';
import { databases } from '../../harness/database/dialect.ts';
import { Receiver } from '../../harness/peers/receiver.ts';
import { DeliveriesByHand } from '../../harness/service/deliveries-by-hand.ts';
import { startTestService, type TestService } from '../../harness/service/service.ts';
import { purgeOldEvents } from '../../jobs/privacy/retain.ts';

databases('both');

const DAY_MS = 86_400_000;
const ANSWER = 'what the endpoint answered';

describe('the retention of events', () => {
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
    const events: { id: string; body: string | null }[] = await db('events').select('id', db.raw(`${BODY} as body`));
    const deliveries = await db('deliveries').select('id');
    const attempts = await db('delivery_attempts').select('delivery_id', 'response_excerpt');
    return { events, deliveries, attempts };
  };
  const forget = () => purgeOldEvents(test.service.runtime);

  it('keeps payloads for thirty days, and delivery records for ninety', async () => {
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

  it('follows the operator’s settings', async () => {
    await begin({ WEBHOOK_PAYLOAD_DAYS: '1', WEBHOOK_RECORD_DAYS: '2' });
    const [, middle] = [await eventOf(3), await eventOf(1.5)];
    await forget();
    const { events, deliveries } = await left();
    expect(deliveries.map(({ id }) => id)).to.deep.equal([middle.id]);
    expect(events.map(({ body }) => body)).to.deep.equal([null]);
  });

  it('ends pending deliveries together with their payload, and sends nothing of them', async () => {
    await begin();
    const { id } = await eventOf(31, false);
    await forget();
    const end = { status: 'failed', due_at: null, last_error: 'the payload has expired', attempts: 0 };
    expect(await hand.delivery(id)).to.include(end);
    await hand.attempt(id);
    expect(receiver.received).to.be.empty;
  });

  it('is complete, however much there is', async () => {
    await begin();
    const { db } = test.service.runtime;
    const { event_id } = await eventOf(31);
    const model = await db('events').where({ id: event_id }).first();
    if (!model) throw new Error('There is no event.');
    const many = Array.from({ length: 1_200 }, (_, index) => ({ ...model, id: `event-${index}` }));
    const inRecords = many.map((row, index) => ({ ...row, body: index % 2 ? 'sealed' : null }));
    const apart = many.filter((_, index) => index % 2 === 0).map(({ id }) => ({ id, body: 'sealed' }));
    await db.batchInsert('events', inRecords, 100);
    await db.batchInsert('event_bodies', apart, 100);
    await forget();
    const { events } = await left();
    expect(events).to.have.length(1_201);
    expect(events.filter(({ body }) => body !== null)).to.be.empty;
    await db('events').update({ created_at: daysAgo(91).toISOString() });
    await forget();
    expect(await left()).to.deep.equal({ events: [], deliveries: [], attempts: [] });
  });

  it('also deletes secrets that no longer sign', async () => {
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
