import { isoAfter } from '../../core/time.ts';
import type { Database, Transaction } from '../../db/connection/connect.ts';
import { prepared } from '../../db/connection/prepared.ts';
import type { JobStore, LeasedJob } from './pump.ts';
import { type JobName, type JobSettings, LEASE_SECONDS } from './queue.ts';

/** A job of the queue's own table. `attempt` tells a lease from the one before it. */
export interface SqliteJob extends LeasedJob {
  id: number;
  attempt: number;
}

/** `work_id` is the row of work that the job is for, `locked_until` the end of its lease. */
export async function createTable(db: Transaction): Promise<void> {
  await db.raw(
    `create table if not exists jobs (
       id integer primary key autoincrement, name text not null, work_id text not null, data text not null, run_at text not null,
       attempt integer not null, locked_until text, failed_at text)`,
  );
  // Tables of earlier versions lack this column.
  if (!(await db.schema.hasColumn('jobs', 'one_of_many')))
    await db.raw('alter table jobs add column one_of_many integer not null default 0');
  await db.raw('create index if not exists jobs_of_work on jobs (work_id)');
  await db.raw('drop index if exists jobs_due');
  await db.raw('create index if not exists jobs_in_turn on jobs (name, one_of_many, run_at) where failed_at is null');
  await db.raw('create unique index if not exists jobs_waiting on jobs (name, work_id) where attempt = 0');
}

/** Sends a job. At most one job that was never taken waits for a row; sent again, it is brought forward to the last parameter. */
export const insertJob = prepared(`
  insert into jobs (name, work_id, data, run_at, one_of_many, attempt) values (?, ?, ?, ?, ?, 0)
  on conflict (name, work_id) where attempt = 0 do update set run_at = ? where run_at > ?`);

const take = prepared<{ id: number; attempt: number; data: string }>(`
  update jobs set locked_until = ?, attempt = attempt + 1
  where id in (
    select id from jobs
    where name = ? and one_of_many in (0, 1) and failed_at is null and run_at <= ? and (locked_until is null or locked_until < ?)
    order by one_of_many, run_at, id
    limit ?)
  returning id, attempt, data`);

const HELD = `where (id, attempt) in (select value ->> 'id', value ->> 'attempt' from json_each(?))`;
const remove = prepared(`delete from jobs ${HELD}`);
const extend = prepared(`update jobs set locked_until = ? ${HELD}`);
const tryAgain = prepared(`update jobs set locked_until = null, run_at = ? ${HELD}`);
const giveUp = prepared(`update jobs set locked_until = null, failed_at = ? ${HELD}`);

export function sqliteJobs(db: Database, name: JobName, settings: JobSettings): JobStore<SqliteJob> {
  const leaseFrom = (now: Date) => isoAfter(now, LEASE_SECONDS * 1000);
  return {
    async take(limit) {
      const now = new Date();
      const moment = now.toISOString();
      const rows = await take(db, leaseFrom(now), name, moment, moment, limit);
      return rows.map(({ id, attempt, data }) => ({ id, attempt, data: JSON.parse(data) }));
    },
    extend: async (jobs) => void (await extend(db, leaseFrom(new Date()), held(jobs))),
    complete: async (jobs) => void (await remove(db, held(jobs))),
    async fail(job) {
      const now = new Date();
      const isLast = job.attempt > settings.retryLimit;
      if (isLast) await giveUp(db, now.toISOString(), held([job]));
      else await tryAgain(db, retryAt(job.attempt, settings, now), held([job]));
    },
  };
}

function held(jobs: SqliteJob[]): string {
  return JSON.stringify(jobs.map(({ id, attempt }) => ({ id, attempt })));
}

function retryAt(attempt: number, settings: JobSettings, now: Date): string {
  const seconds = Math.min(settings.retryDelaySeconds * 2 ** (attempt - 1), settings.retryDelayMaxSeconds);
  return isoAfter(now, seconds * 1000);
}
