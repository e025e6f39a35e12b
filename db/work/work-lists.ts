import type { Database } from '../connection/connect.ts';
import type { WorkRow, WorkTable } from './work.ts';

/*
 * Background work as operators see it.
 */

export async function countOverdue(db: Database, table: WorkTable, overdue: string): Promise<number> {
  const [row] = await db<WorkRow>(table).where('due_at', '<', overdue).count({ count: '*' });
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
