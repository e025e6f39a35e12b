import { expect } from 'chai';
import { deliveryLanes, kinds } from '../../bin/service/kinds.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { until } from '../../harness/process/until.ts';
import { Admin } from '../../harness/service/admin.ts';
import { addApplicant, addDelivery, addHook } from '../../harness/service/deliveries.ts';
import { useService } from '../../harness/service/service.ts';
import { workOn } from '../../harness/service/work.ts';
import { ofWork } from '../../jobs/conditions/of-work.ts';
import type { JobName } from '../../jobs/runtime.ts';
import { promote } from '../../queue/promoter.ts';
import { ClaimingWorker } from '../../queue/worker.ts';

databases('both');

const MAX_EXPIRIES = 5;
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
      // As every end of an attempt does; otherwise its starts would add up when its id comes before the guilty one's.
      if (hasSuffered) await test.service.runtime.db('deliveries').where({ id }).update({ expiries: 0 });
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

  it('is listed, and released by a command', async () => {
    const [listed] = await admin.json<{ id: string; kind: string }[]>('work', 'set-aside');
    expect(listed).to.include({ id: guilty, kind: 'deliveries' });
    await admin.json('work', 'release', guilty);
    expect(await row(guilty)).to.include({ expiries: 0, leased_by: null });
    expect((await finding()).state).to.equal('ok');
    await workOn(test.service.runtime, 'deliver-webhook', guilty);
    expect(await row(guilty)).to.include({ status: 'delivered' });
  });
});
