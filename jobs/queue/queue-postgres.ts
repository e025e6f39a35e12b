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
/** Jobs that become due by time alone start as much later at most, and those whose wake-up was lost. */
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
    // Nothing here is scheduled by cron: what is due is found by our own sweep.
    schedule: false,
    // A dead process is noticed one lease and one round of supervision after its last heartbeat.
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
  });
  // Without a listener a restart of the database would end the process; pg-boss reconnects by itself.
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
      // Whoever is woken before the commit finds nothing.
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
      // What goes on after that is run again by others when its lease has run out.
      await Promise.race([stopped, wait(STOP_TIMEOUT_MS, undefined, { ref: false })]);
      for (const pump of pumps.values()) pump.abandon();
      await boss.stop({ graceful: false });
    },
  };
}

/** In the order of their rows, so that no two senders wait for each other; each row once. */
function rowsOf(jobs: Sent | readonly Sent[]) {
  const works = new Map([jobs].flat().map((job) => [asWork(job).id, asWork(job)]));
  return [...works.values()].sort((a, b) => (a.id < b.id ? -1 : 1)).map(toRow);
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
    // By default jobs would be given up after two crashes.
    retryLimit: settings.retryLimit,
    // By default they would be tried again at once.
    retryDelay: settings.retryDelaySeconds,
    retryBackoff: true,
    retryDelayMax: settings.retryDelayMaxSeconds,
    // Without it, the jobs of a dead process would wait until they expire.
    heartbeatSeconds: LEASE_SECONDS,
    // A worker that hangs, though its process lives, keeps a job for as long.
    expireInSeconds: EXPIRE_SECONDS,
    // Longer than anybody plans ahead: the next try of a delivery is some days away at most.
    retentionSeconds: KEEP_WAITING_SECONDS,
    // Only what was given up is kept at all, for whoever looks into why.
    deleteAfterSeconds: KEEP_FAILED_SECONDS,
    // Processes wake each other after the commit.
    notify: false,
  };
  // One waiting job a row: a sweep during a backlog must not lengthen it.
  await boss.createQueue(name, { ...options, policy: 'short' });
  // For those that are there since an earlier version.
  await boss.updateQueue(name, options);
}
