import type { Log } from '../../core/log.ts';
import type { Database, Transaction } from '../../db/connection/connect.ts';
import type { ShortTransaction } from '../../db/connection/short-transaction.ts';
import { Pump } from './pump.ts';
import {
  asWork,
  type JobName,
  type JobSettings,
  jobData,
  jobSettings,
  type Queue,
  type SentWork,
  type Workers,
} from './queue.ts';
import { createTable, insertJob, type SqliteJob, sqliteJobs } from './sqlite-jobs.ts';

/** How often to poll for jobs that became due or were sent by another process. */
const POLL_MS = 250;
/** Later than any moment: a job sent for later brings nothing forward. */
const NEVER = '9999';

/** A queue in a table of the same SQLite file behind the `Queue` interface. It creates its table, as pg-boss does. */
export async function createSqliteQueue(
  db: Database,
  log: Log,
  settings: Record<JobName, JobSettings> = jobSettings,
): Promise<Queue> {
  // Several processes may start at once; the transaction makes them take turns.
  await db.transaction(createTable);
  const pumps = new Map<JobName, Pump<SqliteJob>>();
  return {
    async send(trx, name, jobs) {
      const now = new Date().toISOString();
      const wake = () => pumps.get(name)?.wake();
      trx.executionPromise.then(wake, () => {});
      await Promise.all([jobs].flat().map((job) => sendOne(trx, name, asWork(job), now)));
    },
    forget: (trx, ids) => trx('jobs').whereIn('work_id', ids).delete(),
    async start(workers: Workers) {
      for (const name of Object.keys(settings) as JobName[]) {
        const worker = workers[name];
        const { concurrency } = settings[name];
        const jobs = sqliteJobs(db, name, settings[name]);
        if (worker) pumps.set(name, new Pump(jobs, { name, worker, concurrency, pollMs: POLL_MS, log }));
      }
    },
    async stop() {
      await Promise.all([...pumps.values()].map((pump) => pump.stop()));
      pumps.clear();
    },
  };
}

function sendOne(trx: Transaction | ShortTransaction, name: JobName, work: SentWork, now: string): Promise<unknown> {
  const { id, startAfter, bulk } = work;
  const runAt = startAfter?.toISOString() ?? now;
  const forwardTo = startAfter ? NEVER : now;
  return insertJob(trx, name, id, JSON.stringify(jobData(work)), runAt, bulk ? 1 : 0, forwardTo, forwardTo);
}
