import { setTimeout as wait } from 'node:timers/promises';
import { PgBoss } from 'pg-boss';
import type { Log } from '../../core/log.ts';
import { insertJobs, type PgBossJob, pgBossJobs } from './pg-boss-jobs.ts';
import { Pump } from './pump.ts';
import {
  asWork,
  type JobName,
  type JobSettings,
  jobData,
  jobSettings,
  LEASE_SECONDS,
  type Queue,
  type Sent,
  type SentWork,
} from './queue.ts';
import { createWakeUps } from './wake-ups.ts';

const POOL_SIZE = 4;
/** The longest delay of jobs that become due by time alone, or whose wake-up was lost. */
const POLL_MS = 1_000;
const EXPIRE_SECONDS = 15 * 60;
const KEEP_FAILED_SECONDS = 60 * 60;
const KEEP_WAITING_SECONDS = 30 * 24 * 60 * 60;
const SUPERVISE_SECONDS = 5;
const STOP_TIMEOUT_MS = 20_000;

/** pg-boss behind the `Queue` interface. Its own tables live in the schema `pgboss` of the same database. */
export async function createPostgresQueue(
  url: string,
  log: Log,
  settings: Record<JobName, JobSettings> = jobSettings,
): Promise<Queue> {
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'tenant-screening-queue',
    max: POOL_SIZE,
    // No cron: our own sweep finds overdue work.
    schedule: false,
    // A dead process is detected one lease and one round of supervision after its last heartbeat.
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
  });
  // Without a listener, a restart of the database would end the process; pg-boss reconnects automatically.
  boss.on('error', (error) => log.error({ err: error }, 'queue error'));
  boss.on('warning', (warning) => log.warn({ warning: warning.message }, 'queue warning'));
  try {
    await boss.start();
    for (const name of jobNames(settings)) await createQueue(boss, name, settings[name]);
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {});
    throw error;
  }

  const pumps = new Map<string, Pump<PgBossJob>>();
  const wakeUps = createWakeUps(boss, log);
  const wake = (name: JobName, count: number): void => {
    const pump = pumps.get(name);
    pump?.wake();
    if (!pump?.hasRoomFor(count)) wakeUps.send(name);
  };
  return {
    async send(trx, name, jobs) {
      const rows = rowsOf(jobs);
      const now = rows.filter((row) => !('start_after' in row)).length;
      // Before the commit, a woken process would find nothing.
      if (now > 0)
        trx.executionPromise.then(
          () => wake(name, now),
          () => {},
        );
      await insertJobs(trx, JSON.stringify(rows), name);
    },
    async forget(trx, ids) {
      const { rowCount } = await trx.raw<{ rowCount: number }>('delete from pgboss.job where singleton_key = any(?)', [
        [...ids],
      ]);
      return rowCount;
    },
    async start(workers) {
      for (const name of jobNames(workers)) {
        const worker = workers[name];
        const { concurrency } = settings[name];
        if (worker)
          pumps.set(name, new Pump(pgBossJobs(boss, name), { name, worker, concurrency, pollMs: POLL_MS, log }));
      }
      if (pumps.size === 0) return;
      await wakeUps.hear((named) => {
        for (const [name, pump] of pumps) if (named === undefined || named === name) pump.wake();
      });
    },
    async stop() {
      await wakeUps.stop();
      const stopped = Promise.all([...pumps.values()].map((pump) => pump.stop()));
      // Jobs that still run then are run again by other processes once their leases have expired.
      await Promise.race([stopped, wait(STOP_TIMEOUT_MS, undefined, { ref: false })]);
      for (const pump of pumps.values()) pump.abandon();
      await boss.stop({ graceful: false });
    },
  };
}

/** Each row once, in the order of their ids, so that two senders cannot deadlock. */
function rowsOf(jobs: Sent | readonly Sent[]) {
  const byRow = new Map([jobs].flat().map((job) => [asWork(job).id, asWork(job)]));
  return [...byRow.values()].sort((a, b) => (a.id < b.id ? -1 : 1)).map(toRow);
}

function toRow(work: SentWork) {
  const row = { data: jobData(work), priority: work.bulk ? -1 : 0 };
  return work.startAfter ? { ...row, start_after: work.startAfter } : row;
}

function jobNames(table: Partial<Record<JobName, unknown>>): JobName[] {
  return (Object.keys(jobSettings) as JobName[]).filter((name) => name in table);
}

async function createQueue(boss: PgBoss, name: JobName, settings: JobSettings): Promise<void> {
  const options = {
    // The default gives jobs up after two crashes.
    retryLimit: settings.retryLimit,
    // The default retries at once.
    retryDelay: settings.retryDelaySeconds,
    retryBackoff: true,
    retryDelayMax: settings.retryDelayMaxSeconds,
    // Without heartbeats, the jobs of a dead process would wait until they expire.
    heartbeatSeconds: LEASE_SECONDS,
    // The limit for a worker that hangs while its process lives.
    expireInSeconds: EXPIRE_SECONDS,
    // Longer than any back-off: retries of deliveries are planned some days ahead at most.
    retentionSeconds: KEEP_WAITING_SECONDS,
    // Only jobs that were given up are kept, for diagnosis.
    deleteAfterSeconds: KEEP_FAILED_SECONDS,
    // Processes wake each other after the commit.
    notify: false,
  };
  // One waiting job a row: a sweep during a backlog must not lengthen it.
  await boss.createQueue(name, { ...options, policy: 'short' });
  // For queues that an earlier version created.
  await boss.updateQueue(name, options);
}
