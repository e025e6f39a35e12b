import { randomUUID } from 'node:crypto';
import { fromKnex, type Job, PgBoss } from 'pg-boss';
import type { Log } from '../core/log.ts';
import type { Transaction } from '../db/connect.ts';
import {
  asWork,
  type JobData,
  type JobName,
  type JobSettings,
  jobData,
  jobSettings,
  LEASE_SECONDS,
  type Queue,
  runJob,
  type SentWork,
  type Worker,
} from './queue.ts';

const POOL_SIZE = 4;
const POLL_SECONDS = 0.5;
const BACKSTOP_POLL_SECONDS = 1;
const EXPIRE_SECONDS = 15 * 60;
const KEEP_FINISHED_SECONDS = 60 * 60;
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
    // Workers wake at the commit of the sending transaction instead of at their next poll.
    useListenNotify: true,
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

  const workerIds = new Map<JobName, string>();
  return {
    async send(trx, name, jobs) {
      const db = fromKnex(trx);
      const rows = [jobs].flat().map((job) => toRow(asWork(job)));
      const inserted = new Set(await boss.insert(name, rows, { db, returnId: true }));
      const waiting = rows.filter((row) => !('startAfter' in row) && !inserted.has(row.id));
      if (waiting.length > 0)
        await bringForward(
          trx,
          name,
          waiting.map(({ singletonKey }) => singletonKey),
        );
      // NOTIFY is for the others; our own worker need not wait for it to come round.
      const wake = () => boss.notifyWorker(workerIds.get(name) ?? '');
      trx.executionPromise.then(wake, () => {});
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
        if (worker) workerIds.set(name, await work(boss, name, worker, settings[name], log));
      }
    },
    async stop() {
      await boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS });
    },
  };
}

/** In one statement, in the words of pg-boss's unique index: `boss.update` looks through all waiting jobs for each. */
async function bringForward(trx: Transaction, name: JobName, ids: string[]): Promise<void> {
  await trx.raw(
    `update pgboss.job set start_after = pgboss.job_now()
     where name = ? and state = 'created' and policy = 'short' and coalesce(singleton_key, '') = any(?) and start_after > pgboss.job_now()`,
    [name, ids],
  );
}

function toRow(work: SentWork) {
  const { id: singletonKey, startAfter, isOneOfMany } = work;
  const row = { id: randomUUID(), singletonKey, data: jobData(work), priority: isOneOfMany ? -1 : 0 };
  return startAfter ? { ...row, startAfter } : row;
}

function jobNames(table: Partial<Record<JobName, unknown>>): JobName[] {
  return (Object.keys(jobSettings) as JobName[]).filter((name) => name in table);
}

/** Every limit is set on purpose: pg-boss's defaults give up after two crashes and poll every two seconds. */
async function createQueue(boss: PgBoss, name: JobName, settings: JobSettings): Promise<void> {
  const options = {
    retryLimit: settings.retryLimit,
    retryDelay: settings.retryDelaySeconds,
    retryBackoff: true,
    retryDelayMax: settings.retryDelayMaxSeconds,
    heartbeatSeconds: LEASE_SECONDS,
    expireInSeconds: EXPIRE_SECONDS,
    retentionSeconds: KEEP_WAITING_SECONDS,
    deleteAfterSeconds: KEEP_FINISHED_SECONDS,
    notify: true,
  };
  // One waiting job a row: a sweep during a backlog must not lengthen it.
  await boss.createQueue(name, { ...options, policy: 'short' });
  await boss.updateQueue(name, options);
}

/** @returns the id by which the first of its fetching loops is woken */
function work(
  boss: PgBoss,
  name: JobName,
  worker: Worker,
  { concurrency, jobsPerFetch }: JobSettings,
  log: Log,
): Promise<string> {
  const options = {
    perJobResults: true,
    batchSize: jobsPerFetch,
    // A full fetch asks again at once.
    burstWhenBatchFull: true,
    localConcurrency: Math.ceil(concurrency / jobsPerFetch),
    pollingIntervalSeconds: POLL_SECONDS,
    notifyPollingIntervalSeconds: BACKSTOP_POLL_SECONDS,
  } as const;
  return boss.work(name, options, (jobs: Job<JobData>[]) =>
    Promise.all(
      jobs.map(async (job) => {
        try {
          await runJob({ name, worker, data: job.data }, log);
          return { id: job.id, status: 'completed' as const };
        } catch (error) {
          return { id: job.id, status: 'failed' as const, output: { message: String(error) } };
        }
      }),
    ),
  );
}
