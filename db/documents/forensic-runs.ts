import { correlationId } from '../../core/correlation.ts';
import { newId } from '../../core/ids.ts';
import type { Database, Transaction } from '../connection/connect.ts';
import { dueAt, type WorkRow } from '../work/work.ts';

export interface ForensicRunRow extends WorkRow {
  tenant_id: string;
  status: 'pending' | 'processing' | 'completed' | 'failed';
  /** Sealed JSON. */
  result: string | null;
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

/** Queues a run of a tenant, due now. @returns its id */
export async function insertForensicRun(trx: Transaction, tenantId: string, now: Date): Promise<string> {
  const id = newId();
  const createdAt = now.toISOString();
  await trx('forensic_runs').insert({
    id,
    tenant_id: tenantId,
    status: 'pending',
    due_at: createdAt,
    correlation_id: correlationId() ?? null,
    created_at: createdAt,
  });
  return id;
}

/** Marks an open run as processing, again after a crash. @returns undefined when it is over or was erased */
export async function startForensicRun(db: Database, id: string): Promise<ForensicRunRow | undefined> {
  const [run] = await db('forensic_runs')
    .where({ id })
    .whereIn('status', ['pending', 'processing'])
    .update({ status: 'processing' })
    .returning('*');
  return run;
}

/** @param result sealed JSON @returns false when the run is over already */
export async function completeForensicRun(trx: Transaction, id: string, result: string, now: Date): Promise<boolean> {
  const completed = await trx('forensic_runs')
    .where({ id, status: 'processing' })
    .update({ status: 'completed', result, ...dueAt(null), finished_at: now.toISOString() });
  return completed === 1;
}

/** The tenant's open run, of which there is one at most. */
export async function findOpenRun(
  db: Database,
  tenantId: string,
): Promise<{ id: string; status: 'pending' | 'processing' } | undefined> {
  const run = await db('forensic_runs')
    .where({ tenant_id: tenantId })
    .whereIn('status', ['pending', 'processing'])
    .first('id', 'status');
  return run?.status === 'pending' || run?.status === 'processing' ? { id: run.id, status: run.status } : undefined;
}

export async function hasCompletedRun(trx: Transaction, tenantId: string): Promise<boolean> {
  return (await trx('forensic_runs').where({ tenant_id: tenantId, status: 'completed' }).first('id')) !== undefined;
}
