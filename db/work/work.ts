import type { Database, Transaction } from '../connection/connect.ts';

/**
 * Work for a job. From `due_at` on it may be claimed; null means that it is finished (or held, for a delivery). `failures`
 * counts how often it threw, and `failure` is the last reason.
 */
export interface WorkRow {
  id: string;
  status: string;
  due_at: string | null;
  failures: number;
  failure: string | null;
  created_at: string;
  finished_at: string | null;
}

/** The tables whose rows are work for a job. */
export type WorkTable = 'invites' | 'kyc_verifications' | 'eid_flows' | 'forensic_runs' | 'deliveries';

function workRows(db: Database, table: WorkTable) {
  return db<WorkRow>(table);
}

/** Claims a row that is due until `lease`. @returns false when it is leased to another process, not due, or finished */
export async function claimWork(
  db: Database,
  table: WorkTable,
  id: string,
  { dueBefore, lease }: { dueBefore: string; lease: string },
): Promise<boolean> {
  return (await workRows(db, table).where({ id }).where('due_at', '<=', dueBefore).update({ due_at: lease })) === 1;
}

/** @returns false when the lease was lost */
export async function extendLease(
  db: Database,
  table: WorkTable,
  id: string,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  return (await workRows(db, table).where({ id }).where('due_at', '=', from).update({ due_at: to })) === 1;
}

/** Locks a row while its lease is held. @returns how often it failed; undefined when the lease was lost */
export async function lockLeased(
  trx: Transaction,
  table: WorkTable,
  { id, lease }: { id: string; lease: string },
): Promise<number | undefined> {
  const row = await workRows(trx, table).where({ id, due_at: lease }).forNoKeyUpdate().first('failures');
  return row?.failures;
}

/** What a failure changes in a row: planned again, or given up and without the secrets that it no longer needs. */
export type FailedWork = Pick<WorkRow, 'failures' | 'failure' | 'due_at'> & {
  status?: 'failed';
  finished_at?: string;
  sealed_memory?: null;
  sealed_token?: null;
};

export async function recordFailure(
  trx: Transaction,
  table: WorkTable,
  id: string,
  columns: FailedWork,
): Promise<void> {
  await workRows(trx, table).where({ id }).update(columns);
}

/**
 * Makes up to `limit` rows that have been due since before `overdue` due now, so that the next call does not find them again.
 * @returns their ids
 */
export async function renewOverdue(
  trx: Transaction,
  table: WorkTable,
  { overdue, limit, now }: { overdue: string; limit: number; now: Date },
): Promise<string[]> {
  const found = workRows(trx, table).where('due_at', '<', overdue).orderBy('due_at').limit(limit).select('id');
  const locked = workRows(trx, table)
    .whereIn('id', found)
    .where('due_at', '<', overdue)
    .orderBy('id')
    .forNoKeyUpdate()
    .select('id');
  const moved = await workRows(trx, table).whereIn('id', locked).update({ due_at: now.toISOString() }).returning('id');
  return moved.map(({ id }) => id);
}

export async function countOverdue(db: Database, table: WorkTable, overdue: string): Promise<number> {
  const [row] = await workRows(db, table).where('due_at', '<', overdue).count({ count: '*' });
  return Number(row?.count ?? 0);
}

/** The tables whose work is about one tenant. */
export type TenantWorkTable = Exclude<WorkTable, 'invites' | 'deliveries'>;

export type ListedWork = Omit<WorkRow, 'due_at'> & { tenant_id: string; email: string };

/** Newest first. */
export function listWork(
  db: Database,
  table: TenantWorkTable,
  statuses: readonly string[],
  limit: number,
): Promise<ListedWork[]> {
  return db(table)
    .join('tenants', 'tenants.id', `${table}.tenant_id`)
    .whereIn(`${table}.status`, statuses)
    .orderBy(['created_at', 'id'].map((column) => ({ column: `${table}.${column}`, order: 'desc' })))
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
  table: TenantWorkTable,
  tenantId: string,
): Promise<Omit<WorkRow, 'due_at' | 'failures'>[]> {
  return db(table)
    .where({ tenant_id: tenantId })
    .orderBy(['created_at', 'id'].map((column) => ({ column, order: 'desc' })))
    .select('id', 'status', 'failure', 'created_at', 'finished_at');
}
