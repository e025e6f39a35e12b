import { isoAfter } from '../../core/time.ts';
import { workRows, works } from '../../jobs/queue/claims.ts';
import type { JobName } from '../../jobs/queue/queue.ts';
import type { Runtime } from '../../jobs/runtime.ts';

const GRACE_MS = 5_000;
const ROWS_A_PASS = 1_000;

/**
 * Sends again the jobs of work that is overdue: its job was lost with a process or given up. The state is in our tables,
 * so nothing depends on the queue's memory. Harmless when the job is only late, because a row is claimed once.
 */
export async function sweep(runtime: Runtime): Promise<void> {
  const { db, queue, now, log } = runtime;
  const overdue = isoAfter(now(), -GRACE_MS);
  for (const name of Object.keys(works) as JobName[]) {
    const { table } = works[name];
    const found = workRows(db, table).where('due_at', '<', overdue).orderBy('due_at').limit(ROWS_A_PASS).select('id');
    const jobs = await db.transaction(async (trx) => {
      // Moved to now, they are not sent again by the next passes while their jobs wait.
      const locked = workRows(trx, table)
        .whereIn('id', found)
        .where('due_at', '<', overdue)
        .orderBy('id')
        .forNoKeyUpdate()
        .select('id');
      const moved = await workRows(trx, table)
        .whereIn('id', locked)
        .update({ due_at: now().toISOString() })
        .returning('id');
      const ids = moved.map(({ id }) => id);
      const sent = ids.map((id) => ({ id, isOneOfMany: true }));
      if (sent.length > 0) await queue.send(trx, name, sent);
      return ids;
    });
    if (jobs.length > 0) log.warn({ job: name, rows: jobs.length }, 'overdue work found; its jobs are sent again');
  }
}
