import { isoAfter } from '../../core/time.ts';
import { renewOverdue } from '../../db/work/work.ts';
import { claims } from '../../jobs/queue/claims.ts';
import type { JobName } from '../../jobs/queue/queue.ts';
import type { Runtime } from '../../jobs/runtime.ts';

const GRACE_MS = 5_000;
const ROWS_A_PASS = 1_000;

/**
 * Sends the jobs of overdue work again: they were lost with a process, or given up. All state is in our tables, so nothing
 * depends on the queue's memory. Idempotent: when the job is only late, the row is still claimed once.
 */
export async function sweep(runtime: Pick<Runtime, 'db' | 'queue' | 'now' | 'log'>): Promise<void> {
  const { db, queue, now, log } = runtime;
  const overdue = isoAfter(now(), -GRACE_MS);
  for (const name of Object.keys(claims) as JobName[]) {
    const ids = await db.transaction(async (trx) => {
      const renewed = await renewOverdue(trx, claims[name].table, { overdue, limit: ROWS_A_PASS, now: now() });
      const jobs = renewed.map((id) => ({ id, bulk: true }));
      if (jobs.length > 0) await queue.send(trx, name, jobs);
      return renewed;
    });
    if (ids.length > 0) log.warn({ job: name, rows: ids.length }, 'overdue work found; its jobs are sent again');
  }
}
