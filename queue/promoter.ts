import { idsOf } from '../core/ids.ts';
import { isoAfter } from '../core/time.ts';
import { databaseTime } from '../db/connection/clock.ts';
import { inTransaction } from '../db/connection/transactions.ts';
import { leaseToQueue, QUEUED, tablesWithDueWork, type WorkTable } from '../db/work/work.ts';
import { type Kinds, namesOf, type QueueContext } from './kind.ts';
import type { Queue } from './queue.ts';

/** After this time the queue has lost a row, or is so long that checking again is worthwhile. */
export const QUEUE_LEASE_MS = 30_000;
/** Together with the interval of the passes, limits what the queue holds: this many rows for each pass within a lease. */
const MAX_ROWS_PER_PASS = 500;

type Promoting<Name extends string> = QueueContext<Name> & { queue: Pick<Queue<Name>, 'send'>; kinds: Kinds<Name> };

/**
 * Enqueues rows that have become due, or that the queue or a dead worker has lost. In one transaction for each kind:
 * 1. lease the rows to the queue, longest-waiting first, skipping locked rows, which are being claimed;
 * 2. send them, behind rows that are sent as soon as they are due. A crash in between has no effect.
 * A kind whose table fails does not stop the others.
 * @throws when the database is unavailable
 */
export async function promote<Name extends string>(promoting: Promoting<Name>): Promise<void> {
  const { db, now, log, kinds } = promoting;
  const names = namesOf(kinds);
  const due: ReadonlySet<WorkTable> = await tablesWithDueWork(db, now()).catch(async () => {
    // One statement asks about all tables, so one failing table hides the other tables. Without a database, this throws.
    await databaseTime(db);
    return new Set(names.map((name) => kinds[name].table));
  });
  for (const job of names)
    if (due.has(kinds[job].table))
      await promoteKind(promoting, job).catch((err) => log.error({ job, err }, 'due jobs not enqueued'));
}

async function promoteKind<Name extends string>(
  { db, queue, kinds, now, work }: Promoting<Name>,
  name: Name,
): Promise<void> {
  const { table } = kinds[name];
  const rows = await inTransaction(db, async (trx) => {
    const until = isoAfter(now(), QUEUE_LEASE_MS);
    const leased = await leaseToQueue(trx, table, { now: now(), until, limit: MAX_ROWS_PER_PASS });
    if (leased.length > 0) await queue.send(trx, name, idsOf(leased), { bulk: true });
    return leased;
  });
  for (const { id, leased_by } of rows)
    if (leased_by !== null && leased_by !== QUEUED) work.emit('lease expired', name, id);
}
