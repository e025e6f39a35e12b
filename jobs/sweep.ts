import { isoAfter } from '../core/time.ts';
import type { JobName } from './queue.ts';
import type { Runtime } from './runtime.ts';
import { workRows, works } from './work.ts';

const GRACE_MS = 5_000;
const ROWS_A_PASS = 200;

/**
 * Sends again the jobs of work that is overdue: its job was lost with a process or given up. The state is in our tables,
 * so nothing depends on the queue's memory. Harmless when the job is only late, because a row is claimed once.
 */
export async function sweep(runtime: Runtime): Promise<void> {
  const overdue = isoAfter(runtime.now(), -GRACE_MS);
  for (const name of Object.keys(works) as JobName[]) {
    const rows = await workRows(runtime.db, works[name].table)
      .where('due_at', '<', overdue)
      .orderBy('due_at')
      .limit(ROWS_A_PASS)
      .select('id');
    for (const { id } of rows) await sendAgain(runtime, name, id, overdue);
  }
}

/** Moving `due_at` to now keeps the next passes from sending the same row again while its job waits. */
async function sendAgain(runtime: Runtime, name: JobName, id: string, overdue: string): Promise<void> {
  const { db, queue, now, log } = runtime;
  await db.transaction(async (trx) => {
    const moved = await workRows(trx, works[name].table)
      .where({ id })
      .where('due_at', '<', overdue)
      .update({ due_at: now().toISOString() });
    if (moved === 0) return;
    log.warn({ job: name, id }, 'overdue work found; its job is sent again');
    await queue.send(trx, name, id);
  });
}
