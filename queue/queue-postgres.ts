import { setTimeout as wait } from 'node:timers/promises';
import { type Db, type Job, PgBoss } from 'pg-boss';
import { inBatches } from '../core/batches.ts';
import { idsOf } from '../core/ids.ts';
import type { Log } from '../core/log.ts';
import { type DatabaseLimits, type PostgresSettings, sessionUrlOf } from '../core/settings/database-settings.ts';
import type { Transaction } from '../db/connection/database.ts';
import { type Prepared, prepared } from '../db/connection/prepared.ts';
import type { ShortTransaction } from '../db/connection/short-transaction.ts';
import { createQueue, type Queue } from './queue.ts';

const POOL_SIZE = 4;
/** The longest delay of a row whose wake-up was lost. */
const POLL_MS = 1_000;
/** Twice the lease of the queue, after which the promoter has already enqueued a lost row again. */
const EXPIRE_SECONDS = 60;
const SUPERVISE_SECONDS = 30;
const CHANNEL = 'tenant_screening_jobs';
/** Two thirds of the 15 ms that a job may take to start in another process. Without a pause, wake-ups would cost more than the work. */
const WAKE_PAUSE_MS = 10;
const MAX_WAKE_UPS = 1_000;

const QUEUE = {
  // A row that is delivered twice is claimed once, but would lengthen a backlog.
  policy: 'short',
  partition: true,
  // The promoter, not pg-boss, enqueues lost rows again.
  retryLimit: 0,
  expireInSeconds: EXPIRE_SECONDS,
  deleteAfterSeconds: EXPIRE_SECONDS,
  // Processes wake each other after the commit, because Postgres serialises the commits of transactions that notify.
  notify: false,
} as const;

/** The pg-boss queue that brings the rows of one kind. Each has its own table, so that their statistics do not mix. */
const queueOf = (name: string) => `due.${name}`;

/** The queue on pg-boss, whose tables live in the schema `pgboss` of the same database. */
export async function createPostgresQueue<Name extends string>(
  settings: PostgresSettings,
  names: readonly Name[],
  log: Log,
): Promise<Queue<Name>> {
  const boss = await startBoss(settings, names, log);
  let listening: { close(): Promise<void> } | undefined;
  let isStopped = false;
  // A lost wake-up delays a job until the next poll.
  const wake = inBatches<Name>(
    async (woken) => {
      const sql = 'select pg_notify($1, name) from unnest($2::text[]) as name';
      const notified = boss.getDb().executeSql(sql, [CHANNEL, [...new Set(woken)]]);
      await notified.catch((err) => log.warn({ err }, 'other processes not notified'));
      await wait(WAKE_PAUSE_MS);
    },
    { size: MAX_WAKE_UPS },
  );
  return createQueue<Name>(
    {
      pollMs: POLL_MS,
      async add(trx, name, ids, bulk) {
        const job = (id: string) => ({ data: { id }, singletonKey: id, priority: bulk ? -1 : 0 });
        // In a fixed order, so that two senders cannot deadlock.
        const jobs = [...new Set(ids)].sort().map(job);
        const { promise: issued, resolve: noteIssued } = Promise.withResolvers<void>();
        const inserted = boss.insert(queueOf(name), jobs, { db: within(trx, noteIssued) });
        // A short transaction waits for the answers itself, so its commit need not wait for this one.
        await ('send' in trx ? Promise.race([issued, inserted]) : inserted);
      },
      async fetch(name, limit, deliver) {
        const jobs: Job<{ id: string }>[] = await boss.fetch(queueOf(name), { batchSize: limit });
        if (jobs.length === 0) return 0;
        // Deletes the jobs while the rows are claimed: if either fails, the promoter enqueues the rows again.
        await Promise.all([deliver(jobs.map(({ data }) => data.id)), boss.deleteJob(queueOf(name), idsOf(jobs))]);
        return jobs.length;
      },
      notifyOthers(name) {
        // While this process stops, the other processes find the jobs by polling.
        if (!isStopped) void wake(name);
      },
      async listen(wakeUp) {
        try {
          listening ??= await boss.getDb().listen?.(CHANNEL, wakeUp, () => wakeUp());
        } catch (err) {
          log.warn({ err }, 'LISTEN failed: jobs of other processes are found by polling only');
        }
      },
      async close() {
        isStopped = true;
        await listening?.close();
        await boss.stop({ graceful: false });
      },
    },
    log,
  );
}

/** Its sessions have settings and one of them listens: a pooler would share them. */
async function startBoss(settings: PostgresSettings, names: readonly string[], log: Log): Promise<PgBoss> {
  const boss = new PgBoss({
    ...waitsOf(settings.limits),
    connectionString: sessionUrlOf(settings),
    application_name: 'tenant-screening-queue',
    max: POOL_SIZE,
    // The promoter enqueues rows again that a database crash lost. With the statistics of an empty table, the planner would read all jobs for each
    // one that `fetch` takes: 1,500 jobs a second instead of 19,000.
    options: '-c synchronous_commit=off -c enable_nestloop=off',
    schedule: false,
    // Metrics and log lines of our own say what waits. A span and its context for each job stay in memory until the next full collection.
    openTelemetry: { enabled: false },
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
  });
  // Without a listener, a restart of the database would end the process; pg-boss reconnects automatically.
  boss.on('error', (error) => log.error({ err: error }, 'queue error'));
  boss.on('warning', (warning) => log.warn({ warning: warning.message }, 'queue warning'));
  try {
    await boss.start();
    const known = new Set((await boss.getQueues()).map(({ name }) => name));
    for (const name of names) {
      if (!known.has(queueOf(name))) await boss.createQueue(queueOf(name), QUEUE);
      // The queue of earlier versions; its rows are due.
      if (known.has(name)) await boss.deleteQueue(name);
    }
    return boss;
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {});
    throw error;
  }
}

/** pg-boss passes all its options on to the pool of pg. */
function waitsOf({ connectMs, queryMs, lockMs, idleMs }: DatabaseLimits) {
  return {
    connectionTimeoutMillis: connectMs,
    query_timeout: queryMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleMs,
    keepAlive: true,
  };
}

const statements = new Map<string, Prepared<object>>();

/** Runs pg-boss's statements in our own transaction. Each connection prepares them once, because planning costs more than executing them. */
function within(trx: Transaction | ShortTransaction, noteIssued: () => void): Db {
  return {
    async executeSql(text, values = []) {
      const statement = statements.get(text) ?? prepared(text.replace(/\$\d/g, '?'));
      statements.set(text, statement);
      const answer = statement(trx, ...values.map(String));
      noteIssued();
      return { rows: await answer };
    },
  };
}
