import type { Database } from '../connection/connect.ts';
import type { WorkRow } from '../work/work.ts';

export interface ForensicRunRow extends WorkRow {
  tenant_id: string;
  status: 'pending' | 'processing' | 'completed' | 'failed';
  result: string | null;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    forensic_runs: ForensicRunRow;
  }
}

export function findForensicRun(db: Database, id: string): Promise<ForensicRunRow | undefined> {
  return db('forensic_runs').where({ id }).first();
}

/** The tenant's run that completed last. */
export function findLatestCompletedRun(db: Database, tenantId: string): Promise<ForensicRunRow | undefined> {
  return db('forensic_runs')
    .where({ tenant_id: tenantId, status: 'completed' })
    .orderBy(['finished_at', 'id'].map((column) => ({ column, order: 'desc' })))
    .first();
}

/** The id of the tenant's open run, of which there is one at most. */
export async function findOpenRunId(db: Database, tenantId: string): Promise<string | undefined> {
  const run = await db('forensic_runs')
    .where({ tenant_id: tenantId })
    .whereIn('status', ['pending', 'processing'])
    .first('id');
  return run?.id;
}
