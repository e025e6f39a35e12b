import type { Log } from '../core/log.ts';
import { isoAfter } from '../core/time.ts';
import type { Database, Transaction } from '../db/connect.ts';
import { inBatches } from './batches.ts';
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
  type Workers,
} from './queue.ts';

/** A row of the queue's own table. `locked_until` is the lease of whoever runs it. */
interface JobRow {
  id: number;
  name: JobName;
  /** The row of work that the job is for. */
  work_id: string;
  data: string;
  run_at: string;
  attempt: number;
  locked_until: string | null;
  failed_at: string | null;
  /** 1 lets the others go first. */
  one_of_many: 0 | 1;
}

/** How often to look for jobs that became due or were sent by another process. */
const POLL_MS = 250;
const MOST_IN_A_BATCH = 200;

/** A queue in a table of the same SQLite file behind the `Queue` interface. It makes its table itself, as pg-boss does. */
export async function createSqliteQueue(
  db: Database,
  log: Log,
  settings: Record<JobName, JobSettings> = jobSettings,
): Promise<Queue> {
  // Several processes may start at once: the second one waits, and finds it as it should be.
  await db.transaction(createTable);
  const pumps: Pump[] = [];
  return {
    async send(trx, name, jobs) {
      const now = new Date();
      for (const job of [jobs].flat()) await sendOne(trx, name, asWork(job), now);
      const wake = () => pumps.find((pump) => pump.name === name)?.wake();
      trx.executionPromise.then(wake, () => {});
    },
    forget: (trx, ids) => trx<JobRow>('jobs').whereIn('work_id', ids).delete(),
    async start(workers: Workers) {
      for (const name of Object.keys(settings) as JobName[]) {
        const worker = workers[name];
        if (worker) pumps.push(createPump(db, name, worker, settings[name], log));
      }
    },
    async stop() {
      await Promise.all(pumps.splice(0).map((pump) => pump.stop()));
    },
  };
}

async function sendOne(trx: Transaction, name: JobName, work: SentWork, now: Date): Promise<void> {
  const { id, startAfter, isOneOfMany } = work;
  const run_at = (startAfter ?? now).toISOString();
  const waiting = trx<JobRow>('jobs').where({ name, work_id: id, failed_at: null, locked_until: null });
  if (await waiting.clone().first('id')) {
    if (!startAfter) await waiting.where('run_at', '>', run_at).update({ run_at });
    return;
  }
  const data = JSON.stringify(jobData(work));
  await trx<JobRow>('jobs').insert({ name, work_id: id, data, run_at, attempt: 0, one_of_many: isOneOfMany ? 1 : 0 });
}

async function createTable(db: Transaction): Promise<void> {
  await db.raw(
    `create table if not exists jobs (
       id integer primary key autoincrement, name text not null, work_id text not null, data text not null, run_at text not null,
       attempt integer not null, locked_until text, failed_at text)`,
  );
  // Tables of earlier versions have no such column.
  if (!(await db.schema.hasColumn('jobs', 'one_of_many')))
    await db.raw('alter table jobs add column one_of_many integer not null default 0');
  await db.raw('create index if not exists jobs_of_work on jobs (work_id)');
  await db.raw('drop index if exists jobs_due');
  await db.raw('create index if not exists jobs_in_turn on jobs (name, one_of_many, run_at) where failed_at is null');
}

interface Pump {
  name: JobName;
  wake(): void;
  stop(): Promise<void>;
}

/** Keeps as many jobs of one kind running as its concurrency allows. */
function createPump(db: Database, name: JobName, worker: Worker, settings: JobSettings, log: Log): Pump {
  const running = new Set<Promise<void>>();
  let stopped = false;
  let looking: Promise<void> | undefined;
  let again = false;

  const complete = inBatches<JobRow>(MOST_IN_A_BATCH, (rows) => completeAll(db, rows));

  const run = async (row: JobRow): Promise<void> => {
    const lastAttempt = row.attempt > settings.retryLimit;
    const stopHeartbeat = keepLease(db, row, log);
    try {
      const data: JobData = JSON.parse(row.data);
      await runJob({ name, worker, data }, log);
      await complete(row);
    } catch {
      const now = new Date();
      const outcome = lastAttempt ? { failed_at: now.toISOString() } : { run_at: retryAt(row.attempt, settings, now) };
      await db<JobRow>('jobs')
        .where({ id: row.id, attempt: row.attempt })
        .update({ ...outcome, locked_until: null });
    } finally {
      stopHeartbeat();
    }
  };

  const look = async (): Promise<void> => {
    do {
      again = false;
      const free = settings.concurrency - running.size;
      if (stopped || free <= 0) return;
      for (const row of await lease(db, name, free)) {
        const job: Promise<void> = run(row)
          .catch((error) => log.error({ err: error, job: name }, 'queue error'))
          .finally(() => {
            running.delete(job);
            wake();
          });
        running.add(job);
      }
    } while (again);
  };

  const wake = (): void => {
    again = true;
    if (stopped || looking) return;
    looking = look()
      .catch((error) => log.error({ err: error, job: name }, 'queue error'))
      .finally(() => {
        looking = undefined;
        if (again) wake();
      });
  };

  const timer = setInterval(wake, POLL_MS);
  wake();
  return {
    name,
    wake,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await looking;
      await Promise.all(running);
    },
  };
}

/** Takes up to `limit` due jobs whose lease is free; one statement, so that two processes never take the same. */
async function lease(db: Database, name: JobName, limit: number): Promise<JobRow[]> {
  const now = new Date();
  const due = db<JobRow>('jobs')
    .where({ name })
    .whereNull('failed_at')
    .where('run_at', '<=', now.toISOString())
    .where((free) => free.whereNull('locked_until').orWhere('locked_until', '<', now.toISOString()));
  return db<JobRow>('jobs')
    .whereIn('id', due.clone().orderBy(['one_of_many', 'run_at', 'id']).limit(limit).select('id'))
    .update({ locked_until: isoAfter(now, LEASE_SECONDS * 1000), attempt: db.raw('attempt + 1') })
    .returning('*');
}

/** Unless the lease was lost meanwhile and somebody else runs it. */
async function completeAll(db: Database, rows: JobRow[]): Promise<[]> {
  for (const [attempt, together] of Map.groupBy(rows, (row) => row.attempt)) {
    const ids = together.map(({ id }) => id);
    await db<JobRow>('jobs').whereIn('id', ids).where({ attempt }).delete();
  }
  return [];
}

/** Renews the lease while the job runs. Returns what ends it. */
function keepLease(db: Database, row: JobRow, log: Log): () => void {
  const renew = () =>
    db<JobRow>('jobs')
      .where({ id: row.id, attempt: row.attempt })
      .update({ locked_until: isoAfter(new Date(), LEASE_SECONDS * 1000) })
      .catch((error) => log.warn({ err: error }, 'lease not renewed'));
  const timer = setInterval(renew, (LEASE_SECONDS * 1000) / 3);
  return () => clearInterval(timer);
}

function retryAt(attempt: number, settings: JobSettings, now: Date): string {
  const seconds = Math.min(settings.retryDelaySeconds * 2 ** (attempt - 1), settings.retryDelayMaxSeconds);
  return isoAfter(now, seconds * 1000);
}
