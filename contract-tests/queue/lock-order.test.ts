import { expect } from 'chai';
import { idsOf } from '../../core/ids.ts';
import { isoAfter } from '../../core/time.ts';
import type { Database } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { pauseWebhook, resumeWebhook } from '../../db/webhooks/paused-webhooks.ts';
import { claimWork, extendLeases, releaseLeases } from '../../db/work/work.ts';
import { databases } from '../../harness/database/dialect.ts';
import { testFixture } from '../../harness/mocha/fixtures.ts';
import { until } from '../../harness/process/until.ts';
import { addDelivery, addHook } from '../../harness/service/deliveries.ts';
import { useServicePerTest } from '../../harness/service/service.ts';

databases('postgres');

const DELIVERIES = 200;
/** By all workers together. */
const CLAIMS = 5_000;
/** Coprime to the number of deliveries: each worker asks for them in another order. */
const STRIDES = [1, 3, 7, 11, 13, 17];
const DEADLOCK = '40P01';
const LEASE_MS = 60_000;

/** SQLite has one writer at a time. */
describe('several workers and an operator', () => {
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
        const asked = ids.map((_, index) => ids[(index * stride + round) % ids.length] ?? '').slice(0, DELIVERIES / 2);
        const terms = { dueBefore: isoAfter(new Date(), 1), lease, until: isoAfter(new Date(), LEASE_MS) };
        const held = idsOf(await claimWork(db, 'deliveries', asked, terms));
        claimed += held.length;
        if (held.length === 0) continue;
        await extendLeases(db, 'deliveries', lease, held.toReversed(), terms.until);
        const given = held.map((id) => ({ id, dueAt: new Date().toISOString() }));
        await releaseLeases(db, 'deliveries', lease, given);
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

  it('claim a delivery that another transaction moved within the table while they waited for its lock, and lose no other', async () => {
    const { db } = test.service.runtime;
    const tenantId = (await test.tenant('moved@mail.example')).id;
    const due_at = new Date().toISOString();
    const add = () => addDelivery(test, tenantId, { webhook_id: hook.id, status: 'pending', due_at });
    const [still, moved] = [await add(), await add()];
    await refuseOnce(db, moved);
    const terms = { dueBefore: isoAfter(new Date(), 1), lease: 'worker', until: isoAfter(new Date(), LEASE_MS) };
    const { claiming } = await inTransaction(db, async (trx) => {
      await trx('deliveries').where({ id: moved }).update({ failures: 3 });
      const claiming = claimWork(db, 'deliveries', [still, moved], terms);
      await until('it waited for the lock', () =>
        db('pg_stat_activity').where({ wait_event_type: 'Lock' }).whereRaw('datname = current_database()').first('pid'),
      );
      return { claiming };
    });
    const party = (await db('api_keys').where({ client_id: test.alice.clientId }).first('id'))?.id;
    const claimed = { correlation_id: null, expiries: 0, party, lane: hook.id };
    expect(await claiming).to.have.deep.members([
      { id: still, failures: 0, ...claimed },
      { id: moved, failures: 3, ...claimed },
    ]);
  });
});

/** The first claim of a delivery ends with a serialization failure. */
async function refuseOnce(db: Database, id: string): Promise<void> {
  await db.raw('create sequence claims_of_one');
  await db.raw(`create function refuse_first_claim() returns trigger language plpgsql as $$ begin
    if nextval('claims_of_one') = 1 then raise exception 'refused' using errcode = '40001'; end if;
    return new; end $$`);
  await db.raw(`create trigger refuse_first_claim before update on deliveries for each row
    when (new.leased_by = 'worker' and new.id = '${id}') execute function refuse_first_claim()`);
}
