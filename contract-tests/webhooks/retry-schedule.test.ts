import { createHmac, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { sealText } from '../../core/secrets/secrets.ts';
import { databases } from '../../harness/database/dialect.ts';
import { testFixture } from '../../harness/mocha/fixtures.ts';
import { type Answer, Receiver } from '../../harness/peers/receiver.ts';
import { DeliveriesByHand } from '../../harness/service/deliveries-by-hand.ts';
import { useServicePerTest } from '../../harness/service/service.ts';

databases('either');

const SECRET = 'whsec_dGhlIGxhdyBvZiByZXRyaWVz';
const BEGINNING = new Date('2027-01-31T12:00:00.000Z');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SCHEDULE = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];

describe('the retry schedule, with its own clock,', () => {
  let webhookId: string;
  let clock: Date;

  const test = useServicePerTest({ RUN_WORKERS: 'false' });
  const hand = new DeliveriesByHand(test);
  const receiver = testFixture(() => Receiver.start());
  beforeEach(async () => {
    webhookId = (await test.alice.ok('createWebhook', { body: { url: receiver.url, secret: SECRET } })).data.id ?? '';
    setClock(BEGINNING);
  });

  const setClock = (moment: Date) => {
    clock = moment;
    test.setNow(moment);
  };
  const later = (milliseconds: number) => setClock(new Date(clock.getTime() + milliseconds));
  const emit = async (): Promise<string> => {
    // Tokens expire by the same clock.
    await test.alice.authenticate();
    const [delivery, ...others] = await hand.emit(test.alice, clock);
    if (!delivery || others.length > 0) throw new Error('One delivery was expected.');
    return delivery.id;
  };
  /** Makes the due attempt. @returns the delay before the next one, in milliseconds; undefined when there is none */
  const attempt = async (id: string, answer: number | Answer): Promise<number | undefined> => {
    const { attempts } = await hand.delivery(id);
    receiver.answer = () => answer;
    const after = await hand.attempt(id);
    expect(after.attempts, 'one attempt was made').to.equal(attempts + 1);
    return after.due_at === null ? undefined : Date.parse(after.due_at) - clock.getTime();
  };

  it('makes eight attempts: immediately and after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, each spread by 20 %', async () => {
    const id = await emit();
    const moments: string[] = [];
    for (const expected of SCHEDULE) {
      moments.push(clock.toISOString());
      const wait = (await attempt(id, 500)) ?? 0;
      expect(wait).to.be.within(expected * 0.8, expected * 1.2);
      later(wait - 1_500);
      expect(await hand.attempt(id), 'nothing happens before its time').to.include({ attempts: moments.length });
      later(1_500);
    }
    moments.push(clock.toISOString());
    expect(await attempt(id, 500)).to.equal(undefined);
    const end = { status: 'failed', attempts: 8, last_status_code: 500, last_error: 'answered 500' };
    expect(await hand.delivery(id)).to.include({ ...end, finished_at: clock.toISOString() });
    const recorded = await test.service.runtime.db('delivery_attempts').where({ delivery_id: id }).orderBy('number');
    expect(recorded.map(({ number }) => number)).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(recorded.map(({ started_at }) => started_at)).to.deep.equal(moments);
    for (const { status_code, error } of recorded) expect([status_code, error]).to.deep.equal([500, 'answered 500']);
    expect(receiver.received).to.have.length(8);
  });

  it('ends a delivery whose body no key opens after as many attempts, and does not blame its endpoint', async () => {
    const { db } = test.service.runtime;
    const id = await emit();
    const { event_id } = await hand.delivery(id);
    const body = sealText('{}', { current: randomBytes(32) });
    await db('events').where({ id: event_id }).update({ body });
    for (const _ of SCHEDULE) later((await attempt(id, 200)) ?? 0);
    expect(await attempt(id, 200)).to.equal(undefined);
    const last_error = 'not sent: no ENCRYPTION_KEY opens its body or the secret of its webhook';
    expect(await hand.delivery(id)).to.include({ status: 'failed', attempts: 8, last_status_code: null, last_error });
    expect(receiver.received).to.have.length(0);
    const webhook = await db('webhooks').where({ id: webhookId }).first();
    expect(webhook).to.include({ failing_since: null, paused_at: null, last_triggered_at: null });
    expect(await attempt(await emit(), 200), 'the next one is delivered').to.equal(undefined);
    expect(receiver.received).to.have.length(1);
  });

  it('keeps id and body over all attempts, and signs each with its own time', async () => {
    const id = await emit();
    for (const _ of [1, 2, 3]) later((await attempt(id, 503)) ?? 0);
    const [first, ...others] = receiver.received;
    for (const { headers, body } of others) {
      expect(headers['webhook-id']).to.equal(id);
      expect(body).to.equal(first?.body);
    }
    const times = receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(new Set(times).size).to.equal(3);
    expect(times[0]).to.equal(BEGINNING.getTime() / 1000);
    for (const { headers, body } of receiver.received) {
      const signed = `${id}.${headers['webhook-timestamp']}.${body}`;
      const signature = createHmac('sha256', 'the law of retries').update(signed).digest('base64');
      expect(headers['webhook-signature']).to.equal(`v1,${signature}`);
    }
  });

  const asked: [what: string, header: string, atLeast: number, atMost: number][] = [
    ['in seconds', '120', 120 * SECOND, 144 * SECOND],
    ['as a date', new Date(BEGINNING.getTime() + 10 * MINUTE).toUTCString(), 10 * MINUTE, 12 * MINUTE],
    ['for longer than the longest wait', '99999999', 10 * HOUR, 12 * HOUR],
    ['for less than the schedule says', '1', 4 * SECOND, 6 * SECOND],
    ['for a moment that is over', new Date(0).toUTCString(), 4 * SECOND, 6 * SECOND],
    ['in words that mean nothing', 'soon', 4 * SECOND, 6 * SECOND],
  ];
  for (const [what, header, atLeast, atMost] of asked)
    it(`honours Retry-After ${what}`, async () => {
      const wait = await attempt(await emit(), { status: 429, headers: { 'retry-after': header } });
      expect(wait).to.be.within(atLeast, atMost);
    });

  for (const status of [200, 201, 202, 204, 299])
    it(`treats ${status} as a success`, async () => {
      const id = await emit();
      expect(await attempt(id, status)).to.equal(undefined);
      expect(await hand.delivery(id)).to.include({ status: 'delivered', last_status_code: status, last_error: null });
      expect(await hand.attempt(id), 'it is not sent again').to.include({ attempts: 1 });
    });

  for (const status of [300, 301, 302, 304, 307, 308, 400, 401, 404, 429, 500, 503])
    it(`treats ${status} as a failure and follows no redirect`, async () => {
      const elsewhere = await Receiver.start();
      const id = await emit();
      const wait = await attempt(id, { status, headers: { location: elsewhere.url } });
      expect(wait).to.be.within(4 * SECOND, 6 * SECOND);
      expect(elsewhere.received.length + elsewhere.faults.length).to.equal(0);
      await elsewhere.stop();
    });

  it('counts no attempt whose outcome was not recorded', async () => {
    const id = await emit();
    const { db } = test.service.runtime;
    receiver.answer = () => 500;
    // As left behind by a process that died during the attempt.
    await db('deliveries')
      .where({ id })
      .update({ due_at: new Date(clock.getTime() + 15 * SECOND).toISOString() });
    expect(await hand.attempt(id), 'it is still claimed').to.include({ attempts: 0 });
    later(15 * SECOND);
    expect(await attempt(id, 500)).to.be.within(4 * SECOND, 6 * SECOND);
  });

  describe('pauses a webhook', () => {
    const paused = async () => {
      const { paused_at, pause_reason } = await hand.webhook(webhookId);
      return paused_at && pause_reason;
    };

    it('that answered 410, holds its deliveries, and changes nothing in the API', async () => {
      const [first, second] = [await emit(), await emit()];
      expect(await attempt(first, 410)).to.equal(undefined);
      expect(await paused()).to.equal('answered 410 (gone)');
      for (const id of [first, second]) expect(await hand.delivery(id)).to.include({ status: 'pending', due_at: null });
      const third = await emit();
      expect(await hand.attempt(third), 'what comes later is held too').to.include({ attempts: 0, due_at: null });
      expect(receiver.received).to.have.length(1);
      expect((await hand.webhook(webhookId)).status).to.equal('active');
    });

    it('that failed for five days without a success, including half of a delivery’s attempts', async () => {
      await attempt(await emit(), 500);
      later(5 * DAY);
      const last = await emit();
      for (const _ of [1, 2, 3]) {
        later((await attempt(last, 500)) ?? 0);
        expect(await paused()).to.equal(null);
      }
      expect(await attempt(last, 500)).to.equal(undefined);
      expect(await paused()).to.equal(`no success since ${BEGINNING.toISOString()}`);
      expect(await hand.delivery(last)).to.include({ status: 'pending', attempts: 4, due_at: null });
    });

    it('but not before the five days are over', async () => {
      await attempt(await emit(), 500);
      later(5 * DAY - HOUR);
      const last = await emit();
      for (const _ of [1, 2, 3, 4]) later((await attempt(last, 500)) ?? 0);
      expect(await paused()).to.equal(null);
    });

    it('but not one that succeeded in between', async () => {
      await attempt(await emit(), 500);
      later(4 * DAY);
      await attempt(await emit(), 200);
      later(2 * DAY);
      await attempt(await emit(), 500);
      expect(await paused()).to.equal(null);
      later(4 * DAY);
      const last = await emit();
      for (const _ of [1, 2, 3, 4]) later((await attempt(last, 500)) ?? 0);
      expect(await paused()).to.equal(null);
    });

    it('and no other of the same key', async () => {
      const other = await Receiver.start();
      await test.alice.authenticate();
      const { data } = await test.alice.ok('createWebhook', { body: { url: other.url } });
      receiver.answer = () => 410;
      for (const { id } of await hand.emit(test.alice, clock)) await hand.attempt(id);
      expect(await paused()).to.equal('answered 410 (gone)');
      expect((await hand.webhook(data.id ?? '')).paused_at).to.equal(null);
      expect(other.received).to.have.length(1);
      await other.stop();
    });
  });
});
