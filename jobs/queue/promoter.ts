import { idsOf } from '../../core/ids.ts';
import { isoAfter } from '../../core/time.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { leaseToQueue, QUEUED, tablesWithDueWork } from '../../db/work/work.ts';
import type { Runtime } from '../runtime.ts';
import { jobNames, kinds } from './kinds.ts';

/** After this time the queue has lost a row, or is so long that checking again is worthwhile. */
export const QUEUE_LEASE_MS = 30_000;
/** Together with the interval of the passes, limits what the queue holds: this many rows for each pass within a lease. */
const ROWS_A_PASS = 500;

/**
 * Hands over rows that have become due, or that the queue or a dead worker has lost. In one transaction for each kind:
 * 1. lease the rows to the queue, longest-waiting first, skipping locked rows, which are being claimed;
 * 2. send them, behind those that are sent immediately. A crash in between has no effect.
 */
export async function promote({ db, queue, now, work }: Pick<Runtime, 'db' | 'queue' | 'now' | 'work'>): Promise<void> {
  const due = await tablesWithDueWork(db, now());
  for (const name of jobNames) {
    const { table } = kinds[name];
    if (!due.has(table)) continue;
    const rows = await inTransaction(db, async (trx) => {
      const until = isoAfter(now(), QUEUE_LEASE_MS);
      const leased = await leaseToQueue(trx, table, { now: now(), until, limit: ROWS_A_PASS });
      if (leased.length > 0) await queue.send(trx, name, idsOf(leased), { bulk: true });
      return leased;
    });
    for (const { id, leased_by } of rows)
      if (leased_by !== null && leased_by !== QUEUED) work.emit('lease expired', name, id);
  }
}
