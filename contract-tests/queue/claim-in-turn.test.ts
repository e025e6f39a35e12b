import { expect } from 'chai';
import { kinds } from '../../bin/service/kinds.ts';
import { newId } from '../../core/ids.ts';
import { isoAfter } from '../../core/time.ts';
import { createApiKey } from '../../db/access/api-keys.ts';
import { insertForensicRun } from '../../db/documents/forensic-runs.ts';
import { claimInTurn } from '../../db/work/in-turn.ts';
import { databases } from '../../harness/database/dialect.ts';
import { eventually } from '../../harness/process/signals.ts';
import { useService } from '../../harness/service/service.ts';
import { ofTheirKey } from '../../harness/service/tenant-of-key.ts';
import type { JobName } from '../../jobs/runtime.ts';
import { ClaimingWorker } from '../../queue/worker.ts';

databases('both');

const LIMIT = 2;
const MINUTE_MS = 60_000;

/** How many analyses a process begins at once, more than one key may have. */
const AT_ONCE = 2;

describe('analyses that are claimed from one API key after another', () => {
  const test = useService({ RUN_WORKERS: 'false' });

  it('reach every key with a due row, whatever else is due later or has a longer backlog', async () => {
    const { db } = test.service.runtime;
    const now = new Date();
    const created = Array.from({ length: 8 }, () => createApiKey(db, test.landlords.ours, 'Key', now));
    const keys = (await Promise.all(created)).map(({ apiKey }) => apiKey.id).sort();
    const last = keys.at(-1) ?? '';
    const add = async (key: string, number: number, dueInMs: number) => {
      const { id: tenant_id } = await test.tenant(`${key}-${number}@mail.example`);
      const run = {
        id: newId(),
        tenant_id,
        api_key_id: key,
        status: 'pending' as const,
        created_at: now.toISOString(),
      };
      await db('forensic_runs').insert({ ...run, due_at: isoAfter(now, dueInMs) });
    };
    for (const key of keys.slice(1, -1)) await add(key, 0, MINUTE_MS);
    for (let number = 0; number < 5; number++) await add(keys[0] ?? '', number, -2 * MINUTE_MS);
    await add(last, 0, -MINUTE_MS);
    const lease = { dueBefore: now.toISOString(), lease: 'worker', until: isoAfter(now, MINUTE_MS) };
    for (const after of ['', keys[0] ?? '', last]) {
      const { claimed } = await claimInTurn(db, 'forensic_runs', { after, busy: [], limit: LIMIT }, lease);
      expect(claimed.map(({ party }) => party)).to.include(after === '' ? last : keys[0]);
    }
  });

  it('begin no more at once than the process may, also when several end together', async () => {
    const { runtime } = test.service;
    const { db } = runtime;
    for (let number = 0; number < 4 * AT_ONCE; number++) {
      const { id: tenant_id } = await test.tenant(`several-${number}@mail.example`);
      const of = await ofTheirKey(db, tenant_id);
      await db.transaction((trx) => insertForensicRun(trx, of, new Date()));
    }
    const ends: (() => void)[] = [];
    let [most, underWay] = [0, 0];
    const worker = new ClaimingWorker<JobName>(runtime, {
      name: 'run-forensic',
      kind: kinds['run-forensic'],
      turns: { claimed: { atOnce: AT_ONCE, ofOneKey: AT_ONCE } },
      begin: () => async (id) => {
        most = Math.max(most, ++underWay);
        await new Promise<void>((resolve) => ends.push(resolve));
        await db('forensic_runs').where({ id }).update({ status: 'failed', due_at: null });
        underWay--;
        return 'success';
      },
    });
    const take = () => worker.take([], () => {});
    await Promise.all([take(), take(), take()]);
    await eventually('some have begun', () => ends.length > 0);
    for (const end of ends.splice(0)) end();
    await eventually('the next ones have begun', () => ends.length > 0);
    const drained = worker.drain();
    for (const end of ends.splice(0)) end();
    await drained;
    expect(most).to.equal(AT_ONCE);
  });
});
