import { fromKnex, type Job, PgBoss } from 'pg-boss';
import type { Log } from '../core/log.ts';
import {
  type JobData,
  type JobName,
  type JobSettings,
  jobData,
  jobSettings,
  LEASE_SECONDS,
  type Queue,
  runJob,
  type Worker,
} from './queue.ts';

const POOL_SIZE = 4;
const POLL_SECONDS = 0.5;
const BACKSTOP_POLL_SECONDS = 1;
const JOBS_PER_FETCH = 2;
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

  return {
    async send(trx, name, id, options = {}) {
      const job = { singletonKey: id, db: fromKnex(trx) };
      const sent = await boss.send(name, jobData(id), { ...options, ...job });
      if (sent === null && !options.startAfter) await boss.update(name, undefined, { ...job, startAfter: 0 });
    },
    async start(workers) {
      for (const name of jobNames(workers)) {
        const worker = workers[name];
        if (worker) await work(boss, name, worker, settings[name], log);
      }
    },
    async stop() {
      await boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS });
    },
  };
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

async function work(boss: PgBoss, name: JobName, worker: Worker, settings: JobSettings, log: Log): Promise<void> {
  const options = {
    perJobResults: true,
    // More than one a fetch, so that a full fetch asks again at once; few, because a fetch ends with its slowest job.
    batchSize: JOBS_PER_FETCH,
    burstWhenBatchFull: true,
    localConcurrency: Math.ceil(settings.concurrency / JOBS_PER_FETCH),
    pollingIntervalSeconds: POLL_SECONDS,
    notifyPollingIntervalSeconds: BACKSTOP_POLL_SECONDS,
  } as const;
  await boss.work(name, options, (jobs: Job<JobData>[]) =>
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
