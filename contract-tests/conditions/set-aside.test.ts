import { expect } from 'chai';
import { deliveryLanes, kinds } from '../../bin/service/kinds.ts';
import { newId } from '../../core/ids.ts';
import { DAY_MS, isoAfter } from '../../core/time.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { setWorkAside, tidySetAside } from '../../db/work/set-aside.ts';
import { type WorkRow, type WorkTable, workTables } from '../../db/work/work.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { until } from '../../harness/process/until.ts';
import { Admin } from '../../harness/service/admin.ts';
import { addApplicant, addDelivery, addHook } from '../../harness/service/deliveries.ts';
import { causeEveryKind } from '../../harness/service/every-kind.ts';
import { useService } from '../../harness/service/service.ts';
import { workOn } from '../../harness/service/work.ts';
import { Heartbeat } from '../../jobs/conditions/heartbeat.ts';
import { ofOutcomes } from '../../jobs/conditions/of-outcomes.ts';
import { ofWork } from '../../jobs/conditions/of-work.ts';
import type { JobName } from '../../jobs/runtime.ts';
import { OutboundError } from '../../providers/outbound/outbound-error.ts';
import { promote } from '../../queue/promoter.ts';
import { ClaimingWorker } from '../../queue/worker.ts';

databases('both');

const MAX_EXPIRIES = 5;
/** More than one list shows. */
const OTHERS = 1_001;
const LONG_AGO = '2026-01-01T00:00:00.000Z';
const MINUTE_MS = 60_000;

describe('work that kills its worker', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const hook = suiteFixture(() => addHook(test.alice));
  const admin = new Admin(test);
  let guilty = '';
  const innocent: string[] = [];
  /** How often each was started. */
  const starts = new Map<string, number>();

  const row = (id: string) => test.service.runtime.db('deliveries').where({ id }).first();
  const finding = async () => {
    const { runtime } = test.service;
    return ofWork(runtime.db, { runWorkers: true }, runtime.now())['set-aside']();
  };

  /** A process that takes everything and dies of the guilty work: its leases expire, as nothing extends them any more. */
  async function killOneWorker(): Promise<void> {
    const { runtime } = test.service;
    const { load, turns, ...kind } = kinds['deliver-webhook'];
    const deadly = Promise.withResolvers<void>();
    const [begun, decided] = [new Set<string>(), new Set<string>()];
    const work = async (id: string) => {
      begun.add(id);
      starts.set(id, (starts.get(id) ?? 0) + 1);
      // The innocent end when they are started alone; beside the guilty work they die with it.
      if (id === guilty) deadly.resolve();
      const hasSuffered = id !== guilty && (await row(id))?.expiries !== 0;
      decided.add(id);
      return hasSuffered ? ('nothing' as const) : new Promise<never>(() => {});
    };
    const worker = new ClaimingWorker<JobName>(runtime, {
      name: 'deliver-webhook',
      kind,
      turns: { lanes: deliveryLanes },
      begin: () => work,
    });
    const ids = await runtime.db('deliveries').whereNotNull('due_at').pluck('id');
    await worker.take(ids, () => {});
    await deadly.promise;
    await until('what can start has started', async () => begun.size > 0 && decided.size === begun.size);
    await runtime.db('deliveries').whereNotNull('due_at').update({ leased_by: 'dead/1', due_at: LONG_AGO });
  }

  /** Skips the pause of the guilty work. @returns how many minutes it would have lasted */
  async function skipPause(): Promise<number> {
    const { runtime } = test.service;
    const paused = await runtime.db('deliveries').where({ id: guilty, leased_by: null }).whereNotNull('due_at').first();
    if (!paused) return 0;
    await runtime.db('deliveries').where({ id: guilty }).update({ due_at: LONG_AGO });
    await promote(runtime);
    return Math.round((new Date(paused.due_at ?? '').getTime() - Date.now()) / MINUTE_MS);
  }

  before(async () => {
    const tenant = await addApplicant(test, test.alice, 'guilty@mail.example');
    const due = { webhook_id: hook.id, status: 'pending', due_at: LONG_AGO } as const;
    for (let count = 0; count < 3; count++) innocent.push(await addDelivery(test, tenant, due));
    // Last, so that suspects beside it start before it does.
    guilty = await addDelivery(test, tenant, due);
  });

  it('pauses for minutes before the fourth and fifth, is set aside after it, and is handed to no sixth', async () => {
    const { runtime } = test.service;
    await promote(runtime);
    expect((await finding()).state).to.equal('ok');
    const pauses: number[] = [];
    for (let killed = 0; killed < MAX_EXPIRIES; killed++) {
      expect(await row(guilty), `before death ${killed + 1}`).to.include({ leased_by: 'queue' });
      await killOneWorker();
      await promote(runtime);
      pauses.push(await skipPause());
    }
    expect(pauses, 'so that it outlasts workers that die for another reason').to.deep.equal([0, 0, 1, 5, 0]);
    expect(await row(guilty)).to.include({ leased_by: null, due_at: null, status: 'pending' });
    expect(starts.get(guilty)).to.equal(MAX_EXPIRIES);
    await promote(runtime);
    expect(await row(guilty)).to.include({ leased_by: null, due_at: null });
  });

  it('does not take the work beside it along', async () => {
    for (const id of innocent) expect((await row(id))?.due_at).to.be.a('string');
    const { found, state } = await finding();
    expect(state).to.equal('problem');
    expect(found).to.include(': 1 of deliveries');
  });

  it('is listed, and released by a command, however much else was set aside', async () => {
    const { db } = test.service.runtime;
    const [listed] = await admin.json<{ id: string; kind: string }[]>('work', 'set-aside');
    expect(listed).to.include({ id: guilty, kind: 'deliveries' });
    const others = Array.from({ length: OTHERS }, () => ({
      id: newId(),
      kind: 'deliveries' as const,
      set_aside_at: LONG_AGO,
    }));
    await db.batchInsert('set_aside_work', others, 100);
    await admin.json('work', 'release', guilty);
    expect(await db('set_aside_work').where({ id: guilty })).to.deep.equal([]);
    expect(await admin.json<unknown[]>('work', 'release')).to.have.length(OTHERS);
    expect(await admin.refused(1, ['work', 'release', guilty])).to.include('work set-aside');
    expect(await row(guilty)).to.include({ expiries: 0, leased_by: null });
    expect((await finding()).state).to.equal('ok');
    await workOn(test.service.runtime, 'deliver-webhook', guilty);
    expect(await row(guilty)).to.include({ status: 'delivered' });
  });
});

describe('work whose worker lives', () => {
  const test = useService({ RUN_WORKERS: 'false', SANDBOX_DELAY_MS: '600000' });
  const hook = suiteFixture(() => addHook(test.alice));
  /** More than set work aside that kills its workers. */
  const ROUNDS = MAX_EXPIRIES + 2;

  it('is not set aside while this machine cannot do it: operators hear that deliveries fail, and each is sent once it can', async () => {
    const { runtime } = test.service;
    const { db } = runtime;
    const tenant = await addApplicant(test, test.alice, 'descriptors@mail.example');
    const id = await addDelivery(test, tenant, { webhook_id: hook.id, status: 'pending', due_at: LONG_AGO });
    const deliver = async () => {
      throw new OutboundError('ours', 'the service had no connection to spare (EMFILE)');
    };
    const outbound = { ...runtime.providers.outbound, deliver };
    const short = { ...runtime, providers: { ...runtime.providers, outbound } };
    const heartbeat = new Heartbeat(runtime, 'a worker');
    for (let round = 0; round < ROUNDS; round++) {
      await workOn(short, 'deliver-webhook', id);
      // A minute passes, in which nothing extends what is leased.
      await db('deliveries').where({ id }).whereNotNull('due_at').update({ due_at: LONG_AGO });
      await promote(runtime);
    }
    await heartbeat.beat();
    const row = await db('deliveries').where({ id }).first();
    expect(row).to.include({ status: 'pending', attempts: 0, expiries: 0, leased_by: 'queue' });
    expect(await db('set_aside_work')).to.deep.equal([]);
    expect(await ofOutcomes(db, runtime.now())['failing-deliveries']()).to.include({ state: 'problem' });
    await workOn(runtime, 'deliver-webhook', id);
    expect(await db('deliveries').where({ id }).first()).to.include({ status: 'delivered', attempts: 1 });
  });

  it('is not set aside for deaths of which each was followed by an end of its work', async () => {
    const { runtime } = test.service;
    const { db } = runtime;
    const { id: tenantId } = await test.tenant('waits@mail.example', { of: test.alice });
    await test.alice.ok('initiateKyc', { params: { tenantId } });
    const verification = db('kyc_verifications').where({ tenant_id: tenantId });
    const { id = '' } = (await verification.clone().first('id')) ?? {};
    for (let round = 0; round < ROUNDS; round++) {
      await verification.clone().whereNotNull('due_at').update({ due_at: LONG_AGO, leased_by: 'dead/1' });
      await promote(runtime);
      await verification.clone().whereNotNull('due_at').update({ due_at: LONG_AGO });
      await workOn(runtime, 'complete-kyc', id);
    }
    expect(await verification.clone().first()).to.include({ status: 'pending', expiries: 0, leased_by: null });
    expect(await db('set_aside_work')).to.deep.equal([]);
  });
});

describe('work that an earlier version set aside and forgot', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const admin = new Admin(test);
  const ids = new Map<WorkTable, string>();
  const row = (table: WorkTable) =>
    test.service.runtime
      .db<WorkRow>(table)
      .where({ id: ids.get(table) ?? '' })
      .first();

  it('is listed again after the upgrade, and ends as its kind does a week later; what is held, waits or was freed stays', async () => {
    const { db, now } = test.service.runtime;
    const hook = await addHook(test.alice);
    await hook.stop();
    await causeEveryKind(test, test.alice, 'forgotten');
    for (const table of workTables) {
      const [open] = await db<WorkRow>(table).whereNotNull('due_at').orderBy('id').limit(1);
      const id = open?.id ?? expect.fail(`nothing is open in ${table}`);
      ids.set(table, id);
      await db<WorkRow>(table).where({ id }).update({ due_at: null, leased_by: null, expiries: MAX_EXPIRIES });
    }
    const tenant = await addApplicant(test, test.alice, 'held@mail.example');
    const paused = await addHook(test.alice);
    await db('webhooks').where({ id: paused.id }).update({ paused_at: LONG_AGO });
    const held = { webhook_id: paused.id, status: 'pending', due_at: null } as const;
    const suspect = await addDelivery(test, tenant, held);
    await db('deliveries').where({ id: suspect }).update({ expiries: MAX_EXPIRIES });
    const others = [suspect, await addDelivery(test, tenant, held)];
    others.push(await addDelivery(test, tenant, { ...held, webhook_id: hook.id }));
    // As the upgrade leaves it to the workers.
    await db('background_migrations')
      .where({ name: 'forgotten_work_listed' })
      .update({ state: 'waiting', position: null, rows_done: 0, finished_at: null });
    await admin.text('db', 'migrate', '--background');
    const listed = await admin.json<{ id: string; kind: string }[]>('work', 'set-aside');
    expect(listed.map(({ kind }) => kind)).to.have.members([...workTables]);
    expect(listed.map(({ id }) => id)).to.have.members([...ids.values()]);
    await db('set_aside_work').update({ set_aside_at: isoAfter(now(), -8 * DAY_MS) });
    await tidySetAside(db, now());
    for (const table of workTables) {
      const ended = await row(table);
      expect(ended, table).to.include({ status: 'failed', due_at: null, leased_by: null });
      expect(ended?.finished_at, table).to.be.a('string');
    }
    for (const id of others) expect((await db('deliveries').where({ id }).first())?.finished_at).to.equal(null);
    await paused.stop();
  });
});

describe('work that was set aside and that no operator releases', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const SECRET = 'a sealed secret';
  /** One of each kind. */
  const ids = new Map<WorkTable, string>();
  const row = (table: WorkTable) =>
    test.service.runtime
      .db<WorkRow>(table)
      .where({ id: ids.get(table) ?? '' })
      .first();
  const analysis = async () => {
    const guest = await test.service.runtime.db('tenants').where({ email: 'left-guest@mail.example' }).first('id');
    const { data } = await test.alice.ok('runForensic', { params: { tenantId: guest?.id ?? '' } });
    return data.processing_status;
  };
  /** @param days since it was set aside */
  const tidy = async (days: number) => {
    const { db, now } = test.service.runtime;
    await db('set_aside_work').update({ set_aside_at: isoAfter(now(), -days * DAY_MS) });
    return tidySetAside(db, now());
  };

  before(async () => {
    const { db } = test.service.runtime;
    await addHook(test.alice).then((hook) => hook.stop());
    await causeEveryKind(test, test.alice, 'left');
    for (const table of workTables) {
      const [open] = await db<WorkRow>(table).whereNotNull('due_at').orderBy('id').limit(1);
      const { id, ...columns } = open ?? expect.fail(`nothing is open in ${table}`);
      ids.set(table, id);
      const sealed = Object.keys(columns).filter((column) => column.startsWith('sealed_'));
      await inTransaction(db, async (trx) => {
        for (const column of sealed) await trx.table(table).where({ id }).update(column, SECRET);
        await setWorkAside(trx, table, [id], new Date());
      });
    }
    await db('forensic_runs').update({ status: 'processing' });
  });

  it('stays open for a week', async () => {
    expect(await tidy(6.9)).to.deep.equal([]);
    for (const table of workTables) expect((await row(table))?.finished_at, table).to.equal(null);
    expect(await analysis()).to.equal('PROCESSING');
  });

  it('is an invitation that only a release sends, as operators learn where they look for it', async () => {
    const admin = new Admin(test);
    const id = ids.get('invites') ?? '';
    const { next_command } = await admin.json<{ next_command: string }>('invite', 'show', id);
    expect(next_command).to.include(`work release ${id}`);
    expect(await admin.refused(1, ['invite', 'retry', id])).to.include('it was set aside');
    expect((await row('invites'))?.due_at).to.equal(null);
  });

  it('is then given up, whatever its kind: failed with a reason, and without a secret', async () => {
    expect((await tidy(7.1)).map(({ kind }) => kind)).to.have.members([...workTables]);
    expect(await test.service.runtime.db('set_aside_work')).to.deep.equal([]);
    for (const table of workTables) {
      const ended = await row(table);
      expect(ended, table).to.include({ status: 'failed', due_at: null, leased_by: null });
      expect(ended?.finished_at, table).to.be.a('string');
      expect(ended?.failure, table).to.include('no operator released it');
      const { sealed_viewer: _named, ...secrets } = { sealed_viewer: '', ...ended };
      expect(Object.values(secrets), table).to.not.include(SECRET);
    }
    expect(await test.service.runtime.db('deliveries').first('last_error')).to.include({
      last_error: (await row('deliveries'))?.failure,
    });
  });

  it('keeps no one from starting it again', async () => {
    expect(await analysis()).to.not.equal('PROCESSING');
    const admin = new Admin(test);
    await admin.json('invite', 'retry', ids.get('invites') ?? '');
    await admin.json('delivery', 'redeliver', ids.get('deliveries') ?? '');
  });
});
