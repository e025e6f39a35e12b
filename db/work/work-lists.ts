import type { Database } from '../connection/database.ts';
import { prepared } from '../connection/prepared.ts';
import { newestFirst } from '../connection/queries/newest-first.ts';
import { inScope, type Scope } from '../connection/queries/scope.ts';
import { QUEUED, type WorkRow, type WorkTable, workTables } from './work.ts';

/*
 * Background work as operators see it.
 */

/** Work of one table that waits for a worker. */
export interface WaitingWork {
  name: WorkTable;
  /** Counted up to `MAX_COUNTED`. */
  waiting: number;
  /** Since when the oldest has been due. */
  due_since: string | null;
  /** When the oldest lease of the queue ends. */
  queued_until: string | null;
}

/** The limit of each count, so that polling stays cheap. */
export const MAX_COUNTED = 10_000;

const overdue = prepared<{ name: WorkTable; count: number }>(
  workTables
    .map(
      (name) => `
        select '${name}' as name, count(*) as count
        from (select due_at from ${name} where due_at < ? order by due_at limit ${MAX_COUNTED}) as late`,
    )
    .join(' union all '),
);

/** How many rows of each table have been due since before a moment; counted up to `MAX_COUNTED`. */
export function countOverdue(db: Database, before: string): Promise<{ name: WorkTable; count: number }[]> {
  return overdue(db, ...workTables.map(() => before));
}

const waiting = prepared<WaitingWork>(
  workTables
    .map(
      (name) => `
        select '${name}' as name, count(*) as waiting,
          min(case when coalesce(leased_by, '') <> '${QUEUED}' then due_at end) as due_since,
          min(case when leased_by = '${QUEUED}' then due_at end) as queued_until
        from (select due_at, leased_by from ${name} where due_at <= ? order by due_at limit ${MAX_COUNTED}) as near
        where due_at <= ? or leased_by = '${QUEUED}'`,
    )
    .join(' union all '),
);

/** Rows that are due, or were handed to the queue, in each table. @param queueLeaseEnd of a row that is handed to the queue now */
export function listWaitingWork(db: Database, now: Date, queueLeaseEnd: string): Promise<WaitingWork[]> {
  return waiting(db, ...workTables.flatMap(() => [queueLeaseEnd, now.toISOString()]));
}

/** The tables whose work is about one tenant. */
export type TenantWorkTable = Exclude<WorkTable, 'invites' | 'deliveries'>;

export type ListedWork = Omit<WorkRow, 'due_at'> & { tenant_id: string; email: string };

/** The ids of the newest rows in several states. Reads the newest of each state, then merges them. */
export function newestOf(db: Database, table: WorkTable, statuses: readonly string[], limit: number) {
  const newest = newestFirst();
  const of = (status: string) =>
    db
      .from(
        db<WorkRow>(table)
          .where('status', status)
          .orderBy(newest)
          .limit(limit)
          .select('id', 'created_at')
          .as(`of_${status}`),
      )
      .select('id', 'created_at');
  const all = statuses.slice(1).reduce((some, status) => some.unionAll(of(status)), of(statuses[0] ?? ''));
  return db.from(all.as('newest')).orderBy(newest).limit(limit).select('id');
}

/** Newest first. */
export async function listWork(
  db: Database,
  table: TenantWorkTable,
  statuses: readonly string[],
  limit: number,
): Promise<ListedWork[]> {
  // Looked up by id, not in one statement: Postgres would join by reading the whole table while it is small.
  const ids: string[] = await newestOf(db, table, statuses, limit).pluck('id');
  return db(table)
    .join('tenants', 'tenants.id', `${table}.tenant_id`)
    .whereIn(`${table}.id`, ids)
    .orderBy(newestFirst(table))
    .limit(limit)
    .select({
      id: `${table}.id`,
      tenant_id: 'tenant_id',
      email: 'email',
      status: `${table}.status`,
      failures: 'failures',
      failure: 'failure',
      created_at: `${table}.created_at`,
      finished_at: 'finished_at',
    });
}

/** Newest first. */
export function listWorkOfTenant(
  db: Database,
  scope: Scope,
  table: TenantWorkTable,
  tenantId: string,
  limit: number,
): Promise<Omit<WorkRow, 'due_at' | 'failures'>[]> {
  return db(table)
    .where({ tenant_id: tenantId })
    .where(inScope(scope, 'api_key_id'))
    .orderBy(newestFirst())
    .limit(limit)
    .select('id', 'status', 'failure', 'created_at', 'finished_at');
}
