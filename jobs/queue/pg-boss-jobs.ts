import type { PgBoss } from 'pg-boss';
import { prepared } from '../../db/connection/prepared.ts';
import type { JobStore, LeasedJob } from './pump.ts';
import type { JobName } from './queue.ts';

/** A job of pg-boss. `retryCount` tells a lease from the one before it. */
export interface PgBossJob extends LeasedJob {
  id: string;
  retryCount: number;
}

/** The table of pg-boss for all queues without a partition of their own. */
const TABLE = 'pgboss.job_common';

/**
 * Sends jobs, given as a JSON array of `{data, priority, start_after}`, to the queue of a name. At most one job waits for a row;
 * sent again for now, it is brought forward. `PgBoss.insert` needs a longer statement, planned each time, and another one to
 * bring waiting jobs forward.
 */
export const insertJobs = prepared(`
  insert into ${TABLE} as waiting (
    name, data, priority, singleton_key, start_after, created_on, keep_until, policy, retry_limit, retry_delay,
    retry_backoff, retry_delay_max, expire_seconds, deletion_seconds, heartbeat_seconds)
  select q.name, data, priority, data ->> 'id', coalesce(start_after, pgboss.job_now()), pgboss.job_now(),
    coalesce(start_after, pgboss.job_now()) + q.retention_seconds * interval '1 second', q.policy, q.retry_limit, q.retry_delay,
    q.retry_backoff, q.retry_delay_max, q.expire_seconds, q.deletion_seconds, q.heartbeat_seconds
  from json_to_recordset(?) as sent (data jsonb, priority integer, start_after timestamptz)
  cross join pgboss.queue as q
  where q.name = ?
  on conflict (name, coalesce(singleton_key, '')) where state = 'created' and policy = 'short'
  do update set start_after = excluded.start_after
    where excluded.start_after = pgboss.job_now() and waiting.start_after > excluded.start_after`);

/**
 * Like `PgBoss.fetch`, whose join becomes a nested loop over all jobs when statistics say that the table is empty, as they do
 * after a quiet time. The commit does not wait for the disk: when the database crashes, a job may run again.
 */
const TAKE = `
  with next as materialized (
    select id from ${TABLE}
    where name = $1 and state < 'active' and not blocked and start_after <= pgboss.job_now()
    order by priority desc, created_on
    limit $2
    for update skip locked)
  update ${TABLE}
  set state = 'active', started_on = pgboss.job_now(), heartbeat_on = pgboss.job_now(),
    retry_count = retry_count + case when started_on is null then 0 else 1 end
  where name = $1 and id = any(array(select id from next))
    and (select set_config('synchronous_commit', 'off', true)) = 'off'
  returning id, data, retry_count as "retryCount"`;

/** Finished jobs are deleted: that costs half of an update, and nothing reads them. */
export function pgBossJobs(boss: PgBoss, name: JobName): JobStore<PgBossJob> {
  return {
    take: async (limit) => (await boss.getDb().executeSql(TAKE, [name, limit])).rows,
    extend: async (jobs) => void (await boss.touch(name, jobs)),
    complete: async (jobs) => void (await boss.deleteJob(name, jobs)),
    fail: async (job, error) => void (await boss.fail(name, [job], { message: String(error) })),
  };
}
