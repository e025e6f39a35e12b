import { expect } from 'chai';
import { createWorkers } from '../../bin/service/work.ts';
import type { Database } from '../../db/connection/database.ts';
import type { DeliveryRow } from '../../db/webhooks/deliveries.ts';
import { pauseWebhook } from '../../db/webhooks/paused-webhooks.ts';
import { databases } from '../../harness/database/dialect.ts';
import { testFixture } from '../../harness/mocha/fixtures.ts';
import { eventually } from '../../harness/process/signals.ts';
import { until } from '../../harness/process/until.ts';
import { addDelivery, addHook } from '../../harness/service/deliveries.ts';
import { useServicePerTest } from '../../harness/service/service.ts';
import type { Runtime } from '../../jobs/runtime.ts';

databases('both');

const SECRET = 'whsec_d2hvIGRlbGl2ZXJzIHdoYXQ=';
/** The initial concurrency of a lane. */
const WINDOW = 4;
const FUTURE = '2099-01-01T00:00:00.000Z';

/** Fails its first `failures` transactions. */
function failing(db: Database, failures: number): Database {
  let left = failures;
  const transaction = () => Promise.reject(new Error('the database is away'));
  return new Proxy(db, {
    get: (target, key) => (key === 'transaction' && left-- > 0 ? transaction : Reflect.get(target, key)),
  });
}

/** Unavailable while the test requires it, for transactions and single queries. */
function awayWhile(db: Database, isAway: () => boolean): Database {
  return new Proxy(failing(db, 0), {
    get: (target, key) => Reflect.get(isAway() ? failing(db, 1) : target, key),
    apply: (target, self, names) => Reflect.apply(target, self, isAway() ? ['no such table'] : names),
  });
}

describe('the deliverer', () => {
  let db: Database;
  let tenantId: string;
  /** Requests that have not been answered yet. */
  let unanswered: { id: string; answer(status: number): void }[];
  let drains: (() => Promise<void>)[];

  afterEach(async () => {
    answerAll(200);
    await Promise.all(drains.map((drain) => drain()));
  });
  const test = useServicePerTest({ RUN_WORKERS: 'false' });
  const hook = testFixture(() => addHook(test.alice, SECRET));
  beforeEach(async () => {
    db = test.service.runtime.db;
    tenantId = (await test.tenant('delivered@mail.example')).id;
    unanswered = [];
    drains = [];
    hook.receiver.answer = () =>
      new Promise((answer) => unanswered.push({ id: sent().at(-1) ?? '', answer: (status) => answer(status) }));
  });

  /** The delivering process; a second instance stands for another process. */
  const deliverer = (changed: Partial<Runtime> = {}) => {
    const created = createWorkers({ ...test.service.runtime, ...changed });
    const drain = async () => void (await Promise.all([...(await created).values()].map((worker) => worker.drain())));
    drains.push(drain);
    const take = async (ids: string[]) => (await created).get('deliver-webhook')?.take(ids, () => {});
    /** Claims due deliveries and waits until this many requests are in flight. */
    const begin = async (ids: string[], count = ids.length) => {
      const before = sent().length;
      await take(ids);
      await eventually(`${count} arrived`, () => sent().length >= before + count);
    };
    return { take, begin, drain };
  };
  /** In the order in which they are claimed. Ids made within one millisecond are in no order. */
  const due = async (count: number): Promise<string[]> => {
    const ids: string[] = [];
    const due_at = new Date().toISOString();
    while (ids.length < count)
      ids.push(await addDelivery(test, tenantId, { webhook_id: hook.id, status: 'pending', due_at }));
    return ids.sort();
  };
  const sent = () => hook.receiver.received.map(({ headers }) => headers['webhook-id'] ?? '');
  const answerAll = (status: number) => {
    hook.receiver.answer = () => status;
    for (const { answer } of unanswered.splice(0)) answer(status);
  };
  const rows = async (ids: string[]): Promise<DeliveryRow[]> => {
    const found = await db('deliveries').whereIn('id', ids);
    return ids.flatMap((id) => found.find((row) => row.id === id) ?? []);
  };
  const change = (ids: string[], columns: Partial<DeliveryRow>) =>
    db('deliveries').whereIn('id', ids).update(columns).then();
  const attempted = (ids: string[]) =>
    eventually('all were attempted', async () => (await rows(ids)).every(({ attempts }) => attempts === 1));
  const released = (ids: string[]) =>
    until('they were released', async () => {
      const now = new Date().toISOString();
      return (await rows(ids)).every(({ due_at }) => due_at !== null && due_at <= now);
    });
  const recorded = () => db('delivery_attempts').pluck('delivery_id');

  it('leaves a failed delivery alone until its next attempt is due, with its request’s correlation id', async () => {
    const ids = await due(20);
    // Stands still, so that no next attempt is due before all were made.
    const now = new Date();
    test.setNow(now);
    await change(ids, { correlation_id: 'request-1' });
    answerAll(500);
    await deliverer().take(ids);
    await attempted(ids);
    for (const row of await rows(ids)) {
      expect(row).to.include({ leased_by: null, correlation_id: 'request-1' });
      expect(Date.parse(row.due_at ?? '')).to.be.above(now.getTime());
    }
  });

  it('counts one attempt when two processes made it, and both continue', async () => {
    const ids = await due(1);
    const [one, other] = [deliverer(), deliverer()];
    await one.begin(ids);
    // Simulates a suspension of the first process for longer than its lease.
    await change(ids, { due_at: new Date().toISOString() });
    await other.begin(ids);
    answerAll(500);
    await attempted(ids);
    const [next = '', last = ''] = await due(2);
    await one.take([next]);
    await other.take([last]);
    await attempted([...ids, next, last]);
    expect(await recorded()).to.have.members([...ids, next, last]);
  });

  it('leaves a delivery unchanged that ended during its attempt', async () => {
    const ids = await due(1);
    const { begin, drain } = deliverer();
    await begin(ids);
    await change(ids, { status: 'failed', due_at: null, last_error: 'the API key was revoked' });
    const before = await rows(ids);
    answerAll(500);
    await drain();
    expect(await rows(ids)).to.deep.equal(before);
    expect(await recorded()).to.be.empty;
  });

  it('holds a failed delivery whose webhook was paused during the attempt', async () => {
    const ids = await due(1);
    const { begin, drain } = deliverer();
    await begin(ids);
    await db.transaction((trx) => pauseWebhook(trx, hook.id, 'by an operator', new Date()));
    answerAll(500);
    await drain();
    expect((await rows(ids))[0]).to.include({ status: 'pending', attempts: 1, due_at: null });
  });

  it('does not move last_triggered_at back', async () => {
    const [slow = '', quick = ''] = await due(2);
    const moment = new Date();
    const { begin } = deliverer();
    test.setNow(moment);
    await begin([slow]);
    const later = new Date(moment.getTime() + 5_000);
    test.setNow(later);
    await begin([quick]);
    unanswered.pop()?.answer(200);
    await attempted([quick]);
    answerAll(200);
    await attempted([slow]);
    expect(await db('webhooks').pluck('last_triggered_at')).to.deep.equal([later.toISOString()]);
  });

  it('keeps its leases as long as attempts last, and does not send deliveries that another process took over', async () => {
    const ids = await due(WINDOW + 11);
    const { begin, drain } = deliverer();
    await begin(ids, WINDOW);
    const [lost = ''] = ids.splice(WINDOW, 1);
    await change([lost], { due_at: FUTURE, leased_by: 'another process' });
    // Read afterwards: only a later renewal notices the loss.
    const [claimed] = await rows(ids);
    const isRenewed = ({ due_at }: DeliveryRow) => (due_at ?? '') > (claimed?.due_at ?? '');
    await until('the leases were renewed', async () => (await rows(ids)).every(isRenewed));
    for (const { answer } of unanswered.splice(0)) answer(200);
    await eventually('eight more arrived', () => unanswered.length === 8);
    const stopping = drain();
    await released(ids.slice(-2));
    answerAll(200);
    await stopping;
    expect(sent()).to.have.members(ids.slice(0, -2));
    expect((await rows([lost]))[0]).to.include({ attempts: 0, due_at: FUTURE });
  });

  it('releases waiting deliveries when it stops, and records attempts in progress', async () => {
    const ids = await due(10);
    const { begin, drain } = deliverer();
    await begin(ids, WINDOW);
    const stopping = drain();
    await released(ids.slice(WINDOW));
    answerAll(200);
    await stopping;
    for (const row of await rows(ids.slice(0, WINDOW))) expect(row).to.include({ status: 'delivered', attempts: 1 });
    for (const row of await rows(ids.slice(WINDOW))) expect(row).to.include({ status: 'pending', attempts: 0 });
    expect(sent()).to.have.members(ids.slice(0, WINDOW));
  });

  it('postpones deliveries without room, counting no attempt, except those another process took over', async () => {
    const ids = await due(30);
    const { begin } = deliverer();
    await begin(ids, WINDOW);
    const [lost = ''] = ids.slice(-1);
    await change([lost], { due_at: FUTURE, leased_by: 'another process' });
    const inASecond = new Date(Date.now() + 1_000).toISOString();
    // One failure reduces the lane to sixteen, so ten of the others are deferred.
    unanswered.shift()?.answer(500);
    const putOff = await eventually('they were postponed', async () => {
      const found = await rows(ids.slice(-10, -1));
      return found.every(({ leased_by }) => leased_by === null) && found;
    });
    for (const { attempts, due_at } of putOff) {
      expect(attempts).to.equal(0);
      expect(due_at)
        .to.be.a('string')
        .and.satisfy((moment: string) => moment >= inASecond);
    }
    expect((await rows([lost]))[0]).to.include({ attempts: 0, due_at: FUTURE });
  });

  it('records an outcome once the database is back, and repeats no attempt', async () => {
    const ids = await due(1);
    answerAll(200);
    const { take } = deliverer({ db: failing(db, 1) });
    await take(ids);
    await attempted(ids);
    expect((await rows(ids))[0]).to.include({ status: 'delivered', attempts: 1 });
    expect(sent()).to.deep.equal(ids);
  });

  it('keeps an outcome as long as the database is down', async () => {
    const ids = await due(1);
    let refusals = 0;
    const { begin } = deliverer({ db: awayWhile(db, () => refusals > 0 && refusals-- > 0) });
    await begin(ids);
    refusals = 4;
    answerAll(200);
    await attempted(ids);
    expect((await rows(ids))[0]).to.include({ status: 'delivered', attempts: 1 });
    expect(sent()).to.deep.equal(ids);
  });

  it('records the other outcomes when the database refuses one', async () => {
    const ids = await due(3);
    const [refused = '', ...others] = ids;
    const ghost = { delivery_id: refused, number: 1, started_at: FUTURE, duration_ms: 0 };
    await db('delivery_attempts').insert({ ...ghost, status_code: 200, error: null, response_excerpt: null });
    await deliverer().begin(ids);
    answerAll(200);
    await attempted(others);
    expect(await recorded()).to.have.members(ids);
    expect((await rows([refused]))[0]).to.include({ status: 'pending', attempts: 0 });
  });

  it('stops even when the database is down, and counts no attempt', async () => {
    const ids = await due(1);
    let isAway = false;
    const { begin, drain } = deliverer({ db: awayWhile(db, () => isAway) });
    await begin(ids);
    isAway = true;
    answerAll(200);
    await drain();
    expect((await rows(ids))[0]).to.include({ status: 'pending', attempts: 0 });
  });

  it('sends no delivery that ended or was held while it waited', async () => {
    const ids = await due(WINDOW + 3);
    const [ended = '', held = '', last = ''] = ids.slice(WINDOW);
    const { begin, drain } = deliverer();
    await begin(ids, WINDOW);
    await change([ended], { status: 'delivered', due_at: null, leased_by: null });
    await change([held], { due_at: null, leased_by: null });
    answerAll(200);
    await attempted([...ids.slice(0, WINDOW), last]);
    await drain();
    expect(sent()).to.have.members([...ids.slice(0, WINDOW), last]);
  });
});
