import { expect } from 'chai';
import { inTransaction } from '../../db/connection/transactions.ts';
import type { DeliveryRow } from '../../db/webhooks/deliveries.ts';
import { type FailedPosition, FIRST_FAILED, makeFailedDue } from '../../db/webhooks/redeliveries.ts';
import { sweepWebhook } from '../../db/webhooks/webhook-sweeps.ts';
import { deleteDeliveries, deleteWebhook } from '../../db/webhooks/webhooks.ts';
import { databases, isNightly } from '../../harness/database/dialect.ts';
import { refusingRows } from '../../harness/database/refused-rows.ts';
import { testFixture } from '../../harness/mocha/fixtures.ts';
import { eventually } from '../../harness/process/signals.ts';
import { until } from '../../harness/process/until.ts';
import { Admin } from '../../harness/service/admin.ts';
import { addApplicant, addDelivery, addHook } from '../../harness/service/deliveries.ts';
import { useOutsideWorkers } from '../../harness/service/outside-workers.ts';
import { redeliverFailed } from '../../jobs/webhooks/redeliver.ts';
import { sweepWebhooks } from '../../jobs/webhooks/sweep-webhooks.ts';
import { pause, remove, resume } from '../../jobs/webhooks/webhook-care.ts';

databases('both');

const SECRET = 'whsec_VGhlIHN3ZWVwIHJlc3RzIG9uIHRoZSByb3dzLg==';
const FUTURE = '2099-01-01T00:00:00.000Z';
const A_BATCH = 1_000;
const ALL = 2_500;
/** Enough for a second batch. */
const FEW = 1_200;

describe('a webhook with more deliveries than a transaction may change', () => {
  let tenantId: string;
  const { test, startWorker } = useOutsideWorkers(SECRET);
  // The next test's worker would send thousands to receivers that have stopped.
  afterEach(() => deliveries().where({ status: 'pending' }).update({ due_at: FUTURE }));
  const hook = testFixture(() => addHook(test.alice));
  before(async () => {
    tenantId = await addApplicant(test, test.alice, 'swept@mail.example');
  });

  const runtime = () => test.service.runtime;
  const deliveries = () => runtime().db('deliveries').where({ webhook_id: hook.id });
  const held = async () => (await deliveries().where({ status: 'pending', due_at: null })).length;
  const sweeps = () => runtime().db('webhook_sweeps').pluck('webhook_id');

  async function fill(due_at: string | null, amount = ALL, columns: Partial<DeliveryRow> = {}): Promise<void> {
    const { db } = runtime();
    const pending = { webhook_id: hook.id, status: 'pending' as const, due_at, attempts: 3 };
    const id = await addDelivery(test, tenantId, { ...pending, ...columns });
    const delivery = await db('deliveries').where({ id }).first();
    if (!delivery) return expect.fail('no delivery was added');
    const event = await db('events').where({ id: delivery.event_id }).first();
    if (!event) return expect.fail('no event was added');
    const names = Array.from({ length: amount - 1 }, (_, index) => `${id}-${index}`);
    await inTransaction(db, async (trx) => {
      await trx.batchInsert(
        'events',
        names.map((name) => ({ ...event, id: name })),
        50,
      );
      await trx.batchInsert(
        'deliveries',
        names.map((name) => ({ ...delivery, id: name, event_id: name })),
        50,
      );
    });
  }

  /** How many deliveries each transaction held or released. */
  async function steps(first: () => Promise<unknown>): Promise<number[]> {
    const { db } = runtime();
    let before = await held();
    const changes: number[] = [];
    const count = async () => {
      const after = await held();
      changes.push(Math.abs(after - before));
      before = after;
    };
    await first();
    await count();
    while ((await sweeps()).length > 0) {
      await inTransaction(db, (trx) => sweepWebhook(trx, hook.id, new Date()));
      await count();
    }
    return changes;
  }

  it('is paused and resumed by transactions of bounded size, which leave nothing behind', async () => {
    await fill(FUTURE);
    expect(await steps(() => pause(runtime(), hook.id, 'a test'))).to.deep.equal([A_BATCH, A_BATCH, 500]);
    expect(await deliveries().whereNotNull('due_at')).to.be.empty;
    expect(await steps(() => resume(runtime(), hook.id))).to.deep.equal([A_BATCH, A_BATCH, 500]);
    const due = await deliveries().where('due_at', '<=', new Date().toISOString()).where({ schedule_from: 3 });
    expect(due).to.have.length(ALL);
  });

  it('is sent what failed again by transactions of bounded size, each delivery once although it fails again meanwhile', async () => {
    const { db } = runtime();
    const failed = { status: 'failed' as const, finished_at: FUTURE };
    await fill(null, ALL, failed);
    const since = new Date();
    const made: number[] = [];
    for (let after: FailedPosition | undefined = FIRST_FAILED; after; ) {
      const span: { since: Date; after: FailedPosition } = { since, after };
      const { due, next } = await inTransaction(db, (trx) => makeFailedDue(trx, hook.id, span, new Date()));
      made.push(due);
      after = next;
      await deliveries().update(failed);
    }
    expect(made).to.deep.equal([A_BATCH, A_BATCH, 500]);
    expect(await redeliverFailed(runtime(), hook.id, since)).to.equal(ALL);
    expect(await deliveries().where({ status: 'failed' })).to.be.empty;
    const audited = await db('audit_entries').where({ resource_id: hook.id, action: 'webhook.redeliver-failed' });
    expect(audited).to.have.length(1);
  });

  it('tells how many deliveries a resume releases, and explains one that it has not reached', async () => {
    await fill(null);
    const admin = new Admin(test);
    await runtime().db('webhooks').where({ id: hook.id }).update({ paused_at: FUTURE, pause_reason: 'a test' });
    expect(await admin.json('webhook', 'resume', hook.id)).to.include({ resumed: ALL, held: A_BATCH });
    const left = await deliveries().whereNull('due_at').first('id');
    expect(await admin.text('delivery', 'explain', left?.id ?? '')).to.match(/was resumed, so it is sent/);
    await sweepWebhooks(runtime());
    expect({ held: await held(), sweeps: await sweeps() }).to.deep.equal({ held: 0, sweeps: [] });
  });

  it('holds all when it is paused during a resume, and releases all when it is resumed during a pause', async () => {
    await fill(null);
    await runtime().db('webhooks').where({ id: hook.id }).update({ paused_at: FUTURE, pause_reason: 'a test' });
    await resume(runtime(), hook.id);
    await pause(runtime(), hook.id, 'again');
    await sweepWebhooks(runtime());
    expect(await held()).to.equal(ALL);
    await resume(runtime(), hook.id);
    await sweepWebhooks(runtime());
    await pause(runtime(), hook.id, 'and again');
    await resume(runtime(), hook.id);
    await sweepWebhooks(runtime());
    expect({ held: await held(), sweeps: await sweeps() }).to.deep.equal({ held: 0, sweeps: [] });
    const entries = await runtime().db('audit_entries').where({ resource_id: hook.id }).orderBy('sequence');
    expect(entries.map(({ action }) => action).slice(-5)).to.deep.equal([
      'webhook.resume',
      'webhook.pause',
      'webhook.resume',
      'webhook.pause',
      'webhook.resume',
    ]);
  });

  it('is deleted by transactions of bounded size, paused before the first, also when that was interrupted', async () => {
    await fill(FUTURE);
    const { db } = runtime();
    expect(await inTransaction(db, (trx) => deleteDeliveries(trx, hook.id, ''))).to.include({ deleted: A_BATCH });
    expect(await deliveries()).to.have.length(ALL - A_BATCH);
    const { next } = await inTransaction(db, (trx) => deleteDeliveries(trx, hook.id, ''));
    expect(await inTransaction(db, (trx) => deleteDeliveries(trx, hook.id, next ?? ''))).to.deep.equal({
      ...{ deleted: ALL - 2 * A_BATCH, next: undefined },
    });
    await fill(FUTURE, FEW);
    expect(await remove(runtime(), hook.id)).to.equal(FEW);
    expect(await db('webhooks').where({ id: hook.id })).to.be.empty;
    const entries = await db('audit_entries').where({ resource_id: hook.id }).orderBy('sequence');
    expect(entries.map(({ action }) => action)).to.deep.equal(['webhook.create', 'webhook.pause', 'webhook.delete']);
  });

  it('is released behind any number of others that fail', async () => {
    await fill(null, FEW);
    const { db } = runtime();
    await db('webhooks').where({ id: hook.id }).update({ paused_at: FUTURE, pause_reason: 'a test' });
    const stuck = Array.from({ length: 20 }, (_, serial) => `stuck-${serial}`);
    await db('webhook_sweeps').insert(stuck.map((webhook_id) => ({ webhook_id, swept_at: '2020-01-01' })));
    await resume(runtime(), hook.id);
    const refused = { table: 'webhook_sweeps', change: 'delete', column: 'webhook_id', values: stuck } as const;
    await refusingRows(db, refused, async () => {
      for (let turn = 0; turn < 2; turn++) await sweepWebhooks(runtime());
    });
    expect(await held()).to.equal(0);
    expect(await sweeps()).to.have.members(stuck);
    await sweepWebhooks(runtime());
    expect(await sweeps()).to.deep.equal([]);
  });

  it('is forgotten when it is deleted, by this version or the previous one', async () => {
    await fill(FUTURE);
    const { db } = runtime();
    await pause(runtime(), hook.id, 'a test');
    await inTransaction(db, (trx) => deleteWebhook(trx, hook.id));
    expect(await sweeps()).to.be.empty;
    await db('webhook_sweeps').insert({ webhook_id: hook.id, swept_at: FUTURE });
    await sweepWebhooks(runtime());
    expect(await sweeps()).to.be.empty;
  });

  it('keeps what a process held that was killed within a batch of its release, and gets every delivery once', async () => {
    await fill(null, FEW);
    await runtime().db('webhooks').where({ id: hook.id }).update({ paused_at: FUTURE, pause_reason: 'a test' });
    await resume(runtime(), hook.id);
    const killed = await startWorker({}, './hanging-worker.ts', ['sweeping']);
    await eventually('it hung in the transaction', () => killed.logged.some(({ msg }) => msg === 'sweeping'));
    await killed.kill();
    expect({ held: await held(), sweeps: await sweeps() }).to.deep.equal({ held: FEW - A_BATCH, sweeps: [hook.id] });

    // Over a thousand requests take minutes on a busy machine.
    if (!isNightly) {
      await steps(() => sweepWebhooks(runtime()));
      expect(await deliveries().where({ status: 'pending' }).whereNotNull('due_at')).to.have.length(FEW);
      return;
    }
    await startWorker();
    await until('all were delivered', async () => (await deliveries().where({ status: 'pending' })).length === 0);
    const delivered = await deliveries().where({ status: 'delivered' });
    expect(delivered).to.have.length(FEW);
    const sent = await runtime().db('delivery_attempts').whereIn('delivery_id', deliveries().select('id'));
    // On a busy machine a request may time out, which is an attempt of its own.
    const accepted = sent.filter(({ error }) => error === null).map(({ delivery_id }) => delivery_id);
    expect(accepted).to.have.length(FEW);
    expect(new Set(accepted)).to.have.property('size', FEW);
    expect(delivered.reduce((sum, { attempts }) => sum + attempts - 3, 0)).to.equal(sent.length);
    expect(hook.receiver.received.length).to.be.at.most(sent.length);
  });
});
