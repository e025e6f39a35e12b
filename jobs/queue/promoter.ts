import { idsOf } from '../../core/ids.ts';
import { isoAfter } from '../../core/time.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { leaseToQueue, QUEUED, tablesWithDueWork } from '../../db/work/work.ts';
import type { Runtime } from '../runtime.ts';
import { jobNames, kinds } from './kinds.ts';

/** After this time the queue has lost a row, or is so long that it is worth looking again. */
export const QUEUE_LEASE_MS = 30_000;
/** With the interval of the passes, the limit of what the queue holds: this many rows, for each pass in a lease. */
const ROWS_A_PASS = 500;

/**
 * Hands over what has become due, and what was lost: by the queue, or by a worker that died. In one transaction for each kind:
 * 1. lease the rows to the queue, those that have waited longest first; rows that are locked are being claimed;
 * 2. send them, behind what is sent at once.
 * A process that dies in between has done nothing.
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
