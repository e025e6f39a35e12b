import { expect } from 'chai';
import { idsOf } from '../../core/ids.ts';
import { isoAfter } from '../../core/time.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { pauseWebhook, resumeWebhook } from '../../db/webhooks/paused-webhooks.ts';
import { claimWork, extendLeases, giveBack } from '../../db/work/work.ts';
import { dialect } from '../../harness/database/databases.ts';
import { testFixture } from '../../harness/mocha/fixtures.ts';
import { until } from '../../harness/process/until.ts';
import { addDelivery, addHook } from '../../harness/service/deliveries.ts';
import { useServicePerTest } from '../../harness/service/service.ts';

const DELIVERIES = 200;
/** By all workers together. */
const CLAIMS = 5_000;
/** Coprime to the number of deliveries: each worker asks for them in another order. */
const STRIDES = [1, 3, 7, 11, 13, 17];
const DEADLOCK = '40P01';
const LEASE_MS = 60_000;

/** SQLite has one writer at a time. */
if (dialect === 'postgres')
  describe(`several workers and an operator, on ${dialect}`, () => {
    const test = useServicePerTest({ RUN_WORKERS: 'false' });
    const hook = testFixture(() => addHook(test.alice));

    it('change the same deliveries without a deadlock: claims, leases, pauses and resumes lock them in one order', async () => {
      const { db } = test.service.runtime;
      const tenantId = (await test.tenant('contended@mail.example')).id;
      const ids: string[] = [];
      const due_at = new Date().toISOString();
      while (ids.length < DELIVERIES)
        ids.push(await addDelivery(test, tenantId, { webhook_id: hook.id, status: 'pending', due_at }));
      const refused: unknown[] = [];
      db.on('query-error', (error: { code?: string }) => refused.push(error.code));
      let claimed = 0;
      const work = async (stride: number) => {
        const lease = `worker ${stride}`;
        for (let round = 0; claimed < CLAIMS; round++) {
          const asked = ids
            .map((_, index) => ids[(index * stride + round) % ids.length] ?? '')
            .slice(0, DELIVERIES / 2);
          const terms = { dueBefore: isoAfter(new Date(), 1), lease, until: isoAfter(new Date(), LEASE_MS) };
          const held = idsOf(await claimWork(db, 'deliveries', asked, terms));
          claimed += held.length;
          if (held.length === 0) continue;
          await extendLeases(db, 'deliveries', lease, held.toReversed(), terms.until);
          const given = held.map((id) => ({ id, dueAt: new Date().toISOString() }));
          await giveBack(db, 'deliveries', lease, given);
        }
      };
      const operate = async () => {
        while (claimed < CLAIMS) {
          await inTransaction(db, (trx) => pauseWebhook(trx, hook.id, 'maintenance', new Date()));
          await inTransaction(db, (trx) => resumeWebhook(trx, hook.id, new Date()));
        }
      };
      await Promise.all([operate(), ...STRIDES.map((stride) => work(stride))]);
      expect(refused.filter((code) => code === DEADLOCK)).to.have.length(0);
    });

    it('claim a delivery that another transaction moved within the table while they waited for its lock', async () => {
      const { db } = test.service.runtime;
      const tenantId = (await test.tenant('moved@mail.example')).id;
      const due_at = new Date().toISOString();
      const id = await addDelivery(test, tenantId, { webhook_id: hook.id, status: 'pending', due_at });
      const terms = { dueBefore: isoAfter(new Date(), 1), lease: 'worker', until: isoAfter(new Date(), LEASE_MS) };
      const { claiming } = await inTransaction(db, async (trx) => {
        await trx('deliveries').where({ id }).update({ failures: 3 });
        const claiming = claimWork(db, 'deliveries', [id], terms);
        await until('it waited for the lock', () =>
          db('pg_stat_activity').where({ wait_event_type: 'Lock' }).first('pid'),
        );
        return { claiming };
      });
      expect(await claiming).to.deep.equal([{ id, failures: 3, correlation_id: null, lane: hook.id }]);
    });
  });
