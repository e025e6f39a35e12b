import { correlationId } from '../../core/correlation.ts';
import { newId } from '../../core/ids.ts';
import type { TenantOfKey } from '../../core/rules/tenant-of-key.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { prepared } from '../connection/prepared.ts';
import { among } from '../connection/queries/many-values.ts';
import { newestFirst } from '../connection/queries/newest-first.ts';
import { inScope, type Scope } from '../connection/queries/scope.ts';
import { retried } from '../connection/transactions.ts';
import { hasStatus } from '../work/beside-id.ts';
import { dueAt, type WorkRow } from '../work/work.ts';

export interface ForensicRunRow extends WorkRow {
  tenant_id: string;
  /** The API key for which it runs. Null for an older run whose key is unknown: it has ended, and no key sees it. */
  api_key_id: string | null;
  status: 'pending' | 'processing' | 'completed' | 'failed';
  /** Sealed JSON. */
  result: string | null;
  /** What the documents say about pay and accounts, as sealed JSON; goes with the result. */
  sealed_claims: string | null;
  /** Digest of the documents, rules and settings behind the result; null when the run analysed nothing itself. */
  basis: string | null;
  /** The run whose result this run reused. */
  result_of: string | null;
}

export function findForensicRun(db: Database, scope: Scope, id: string): Promise<ForensicRunRow | undefined> {
  return db('forensic_runs').where({ id }).where(inScope(scope, 'api_key_id')).first();
}

/** The tenant's latest run that has its own result, for operators, who may read every run. */
export function findLatestCompletedRun(db: Database, tenantId: string): Promise<ForensicRunRow | undefined> {
  return db('forensic_runs')
    .where({ tenant_id: tenantId, status: 'completed' })
    .whereNull('result_of')
    .orderBy(newestFirst(undefined, 'finished_at'))
    .first();
}

const latestRun = prepared<Pick<ForensicRunRow, 'status'>>(`
  select status from forensic_runs where tenant_id = ? and api_key_id = ? order by created_at desc limit 1`);

/** A key's newest run of a tenant's documents. */
export async function findLatestRun(
  db: Database,
  { tenant_id, api_key_id }: TenantOfKey,
): Promise<Pick<ForensicRunRow, 'status'> | undefined> {
  const [run] = await latestRun(db, tenant_id, api_key_id);
  return run;
}

/** The sealed results of some runs, without runs whose result was erased. */
export function findResults(db: Database, ids: readonly string[]): Promise<StoredResult[]> {
  const result = 'coalesce(forensic_runs.result, earlier.result)';
  return db('forensic_runs')
    .leftJoin('forensic_runs as earlier', 'earlier.id', 'forensic_runs.result_of')
    .where(among(db, 'forensic_runs.id', ids))
    .whereRaw(`${result} is not null`)
    .select<StoredResult[]>('forensic_runs.id', db.raw(`${result} as result`));
}

/** Queues a run of a tenant, due now unless stated otherwise. @returns its id */
export async function insertForensicRun(
  trx: Transaction,
  { tenant_id, api_key_id }: TenantOfKey,
  now: Date,
  { id = newId(), due = now } = {},
): Promise<string> {
  const createdAt = now.toISOString();
  await trx('forensic_runs').insert({
    id,
    tenant_id,
    api_key_id,
    status: 'pending',
    due_at: due.toISOString(),
    correlation_id: correlationId() ?? null,
    created_at: createdAt,
  });
  return id;
}

/** Marks an open run as processing, again after a crash. @returns undefined when it is over or was erased */
export async function startForensicRun(db: Database, id: string): Promise<ForensicRunRow | undefined> {
  const [run] = await retried(db, () =>
    db('forensic_runs')
      .where({ id })
      .where(hasStatus('pending', 'processing'))
      .update({ status: 'processing' })
      .returning('*'),
  );
  return run;
}

/**
 * Completes a run with its own result (sealed JSON) or an earlier run's.
 * @returns false when the run is already over
 */
export async function completeForensicRun(
  trx: Transaction,
  id: string,
  outcome: { result: string; sealed_claims: string; basis: string } | { result_of: string },
  now: Date,
): Promise<boolean> {
  const completed = await trx('forensic_runs')
    .where({ id })
    .where(hasStatus('processing'))
    .update({ status: 'completed', ...outcome, ...dueAt(null), finished_at: now.toISOString() });
  return completed === 1;
}

interface StoredResult {
  id: string;
  /** Sealed JSON. */
  result: string;
}

/** The latest stored result with the same basis. Retention cannot erase it until the transaction ends. */
export function findReusableResult(
  trx: Transaction,
  of: TenantOfKey,
  basis: string,
): Promise<StoredResult | undefined> {
  return latestResult(trx, { ...of, basis });
}

/** The key's latest stored result for the tenant, of any documents and rules. Retention waits for this lock too. */
export function findLatestResult(trx: Transaction, of: TenantOfKey): Promise<StoredResult | undefined> {
  return latestResult(trx, of);
}

async function latestResult(
  trx: Transaction,
  { tenant_id, api_key_id, ...rest }: TenantOfKey & { basis?: string },
): Promise<StoredResult | undefined> {
  const run = await trx('forensic_runs')
    .where({ tenant_id, api_key_id, ...rest })
    .whereNotNull('result')
    .orderBy('finished_at', 'desc')
    .forUpdate()
    .first('id', 'result');
  return run?.result ? { id: run.id, result: run.result } : undefined;
}

/** Makes the next run for the key analyse the documents again. */
export async function clearBases(trx: Transaction, { tenant_id, api_key_id }: TenantOfKey): Promise<void> {
  await trx('forensic_runs').where({ tenant_id, api_key_id }).whereNotNull('basis').update({ basis: null });
}

/** Forgets results of the key since a time. The fact of the analyses stays. */
export async function forgetResultsSince(
  trx: Transaction,
  { tenant_id, api_key_id }: TenantOfKey,
  since: string,
): Promise<void> {
  const runs = await trx('forensic_runs')
    .where({ tenant_id, api_key_id })
    .where('finished_at', '>=', since)
    .whereNotNull('result')
    .pluck('id');
  await trx('finding_decisions').whereIn('run_id', runs).delete();
  await trx('forensic_runs').whereIn('id', runs).update({ result: null, sealed_claims: null, basis: null });
}

/** The key's open run, of which there is at most one. */
export async function findOpenRun(
  db: Database,
  { tenant_id, api_key_id }: TenantOfKey,
): Promise<{ id: string; status: 'pending' | 'processing' } | undefined> {
  const run = await db('forensic_runs')
    .where({ tenant_id, api_key_id })
    .whereIn('status', ['pending', 'processing'])
    .first('id', 'status');
  return run?.status === 'pending' || run?.status === 'processing' ? { id: run.id, status: run.status } : undefined;
}

/** Makes a waiting run due now. @returns false when it is due already, or a worker has it */
export async function advanceForensicRun(trx: Transaction, id: string, now: Date): Promise<boolean> {
  const advanced = await trx('forensic_runs')
    .where({ id, leased_by: null })
    .where(hasStatus('pending'))
    .where('due_at', '>', now.toISOString())
    .update(dueAt(now));
  return advanced === 1;
}

/** The latest own result of a key for a tenant: with its claims, sealed. */
export async function findLatestClaims(
  db: Database,
  { tenant_id, api_key_id }: TenantOfKey,
): Promise<{ id: string; result: string; sealed_claims: string | null } | undefined> {
  const run = await db('forensic_runs')
    .where({ tenant_id, api_key_id })
    .whereNotNull('result')
    .orderBy('finished_at', 'desc')
    .first('id', 'result', 'sealed_claims');
  return run?.result ? { id: run.id, result: run.result, sealed_claims: run.sealed_claims } : undefined;
}

/** When a run of the key last sent its result, whatever became of later ones. */
export async function findLatestResultTime(
  trx: Transaction,
  { tenant_id, api_key_id }: TenantOfKey,
): Promise<Date | undefined> {
  const latest = await trx('forensic_runs')
    .where({ tenant_id, api_key_id, status: 'completed' })
    .whereNotNull('finished_at')
    .orderBy('finished_at', 'desc')
    .first('finished_at');
  return latest?.finished_at == null ? undefined : new Date(latest.finished_at);
}

export async function hasCompletedRun(trx: Transaction, { tenant_id, api_key_id }: TenantOfKey): Promise<boolean> {
  const completed = await trx('forensic_runs').where({ tenant_id, api_key_id, status: 'completed' }).first('id');
  return completed !== undefined;
}

/** Ends the key's open run. A worker that is analysing notices when it completes. */
export async function endRunOfKey(
  trx: Transaction,
  { tenant_id, api_key_id }: TenantOfKey,
  failure: string,
  now: Date,
): Promise<void> {
  await trx('forensic_runs')
    .where({ tenant_id, api_key_id })
    .whereIn('status', ['pending', 'processing'])
    .update({ status: 'failed', failure, ...dueAt(null), finished_at: now.toISOString() });
}
