import type { TenantOfKey } from '../../core/rules/tenant-of-key.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { prepared } from '../connection/prepared.ts';
import { countUpTo } from '../connection/queries/counts.ts';
import { retried } from '../connection/transactions.ts';
import { hasStatus } from '../work/beside-id.ts';
import { FLOW_COLUMNS, type FlowRow } from './flows.ts';

export interface EidFlowRow extends FlowRow {
  /** `downloading`: the person succeeded, their documents are being downloaded. */
  status: 'pending' | 'downloading' | 'succeeded' | 'cancelled' | 'failed' | 'expired';
  redirect_url: string;
}

/** One redirect of a person to their national eID; the same browser may return from it once. */
export interface EidAttemptRow {
  state_hash: string;
  flow_id: string;
  browser_hash: string;
  sealed_luggage: string;
  created_at: string;
  used_at: string | null;
}

export async function insertEidFlow(trx: Transaction, row: EidFlowRow): Promise<void> {
  await trx('eid_flows').insert(row);
}

/** A flow that the key started since a given time and that waits for the person. */
export function findPendingEid(
  trx: Transaction,
  { tenant_id, api_key_id }: TenantOfKey,
  same: Pick<EidFlowRow, 'provider' | 'redirect_url'>,
  since: string,
): Promise<EidFlowRow | undefined> {
  return trx('eid_flows')
    .where({ tenant_id, api_key_id, ...same })
    .where({ status: 'pending' })
    .where('created_at', '>', since)
    .first();
}

const flow = prepared<EidFlowRow>(`select ${FLOW_COLUMNS}, redirect_url from eid_flows where id = ?`);

export async function findEidFlow(db: Database, id: string): Promise<EidFlowRow | undefined> {
  const [row] = await flow(db, id);
  return row;
}

/** Reopens a flow that was cancelled or failed, until it expires. Its earlier returns no longer count. @returns whether it was reopened */
export async function reopenEidFlow(trx: Transaction, id: string, provider: string, now: Date): Promise<boolean> {
  const reopened = await trx('eid_flows')
    .where({ id })
    .whereIn('status', RETRYABLE)
    .where('expires_at', '>', now.toISOString())
    .update({ status: 'pending', provider, failures: 0, failure: null, finished_at: null });
  if (reopened === 1) await trx('eid_attempts').where({ flow_id: id }).whereNotNull('used_at').delete();
  return reopened === 1;
}

const RETRYABLE: readonly EidFlowRow['status'][] = ['cancelled', 'failed'];

/** Whether the person may try again with the same link. */
export function isRetryable({ status, expires_at }: EidFlowRow, now: Date): boolean {
  return RETRYABLE.includes(status) && expires_at > now.toISOString();
}

/** Notes what keeps a person from finishing, or that nothing does any more. */
export async function noteEidFailure(db: Database, id: string, failure: string | null): Promise<void> {
  await retried(db, () => db('eid_flows').where({ id }).where(hasStatus('pending')).update({ failure }));
}

/** Open flows that their provider keeps from ending, counted up to a limit. */
export async function findHinderedEidFlows(
  db: Database,
  now: Date,
  limit: number,
): Promise<{ count: number; failure: string | null }> {
  // A condition on `due_at` that its index serves: only open flows have one.
  const hindered = db('eid_flows')
    .where('due_at', '>', '')
    .whereNotNull('failure')
    .where('expires_at', '>', now.toISOString());
  const count = await countUpTo(db, hindered.clone(), limit);
  const latest = count > 0 ? await hindered.orderBy('due_at', 'desc').first('failure') : undefined;
  return { count, failure: latest?.failure ?? null };
}

/** Stores what the download of the documents needs. @returns false when the flow was not pending */
export async function startEidDownload(trx: Transaction, id: string, sealedGrant: string): Promise<boolean> {
  const started = await trx('eid_flows')
    .where({ id, status: 'pending' })
    .update({ status: 'downloading', sealed_memory: sealedGrant, failure: null });
  return started === 1;
}

/** Several, because a person may open their link in several tabs or browsers before they return. */
const MAX_OPEN_ATTEMPTS = 5;

/** Replaces the oldest attempts from which no one returned: each visit to a link starts one. @returns false when the flow was erased */
export async function insertEidAttempt(trx: Transaction, attempt: EidAttemptRow): Promise<boolean> {
  const { flow_id } = attempt;
  const flow = await trx('eid_flows').where({ id: flow_id }).forNoKeyUpdate().first('id');
  if (!flow) return false;
  const open = trx('eid_attempts').where({ flow_id }).whereNull('used_at').orderBy('created_at', 'desc');
  const replaced = (await open.pluck('state_hash')).slice(MAX_OPEN_ATTEMPTS - 1);
  if (replaced.length > 0) await trx('eid_attempts').whereIn('state_hash', replaced).delete();
  await trx('eid_attempts').insert(attempt);
  return true;
}

export function findEidAttempt(db: Database, stateHash: string): Promise<EidAttemptRow | undefined> {
  return db('eid_attempts').where({ state_hash: stateHash }).first();
}

/** @returns false when the attempt was used before */
export async function useEidAttempt(db: Database, stateHash: string, now: Date): Promise<boolean> {
  const used = await retried(db, () =>
    db('eid_attempts').where({ state_hash: stateHash }).whereNull('used_at').update({ used_at: now.toISOString() }),
  );
  return used === 1;
}

/** Lets an attempt be used again, because nothing was asked with it. */
export async function releaseEidAttempt(db: Database, stateHash: string): Promise<void> {
  await retried(db, () => db('eid_attempts').where({ state_hash: stateHash }).update({ used_at: null }));
}

/** Whether the person has returned from any attempt of a flow. */
export async function hasUsedAttempt(db: Database, flowId: string): Promise<boolean> {
  const used = db('eid_attempts').where({ flow_id: flowId }).whereNotNull('used_at');
  return (await used.first('state_hash')) !== undefined;
}

export async function deleteEidAttempts(db: Database, before: string): Promise<void> {
  await retried(db, () => db('eid_attempts').where('created_at', '<', before).delete());
}
