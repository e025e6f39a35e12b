import type { Knex } from 'knex';
import type { TenantOfKey } from '../../core/rules/tenant-of-key.ts';
import type { FlowKind } from '../../core/secrets/secrets.ts';
import { isoAfter } from '../../core/time.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { columnsOf, prepared } from '../connection/prepared.ts';
import { inScope, type Scope } from '../connection/queries/scope.ts';
import { retried } from '../connection/transactions.ts';
import { hasStatus, isUnfinished } from '../work/beside-id.ts';
import { CLOCK_DIFFERENCE_MS, dueAt, QUEUED, type WorkRow } from '../work/work.ts';

/** An identity verification. `sealed_memory` holds what its provider needs to continue it. It ends automatically at `expires_at`. */
export interface FlowRow extends WorkRow {
  tenant_id: string;
  /** The API key that started it. Null for an older flow whose key is unknown: it has ended, and no key sees it. */
  api_key_id: string | null;
  /** The name of the provider that started it. */
  provider: string;
  sealed_memory: string | null;
  expires_at: string;
  /** When the person agreed, and to which text; null before. */
  agreed_at: string | null;
  agreed_to: string | null;
  /** The application for which it was started; null in rows of earlier versions. */
  application_id: string | null;
}

export const FLOW_COLUMNS = columnsOf<FlowRow>({
  ...{ id: true, status: true, due_at: true, leased_by: true, failures: true, expiries: true, failure: true },
  ...{ correlation_id: true, created_at: true, finished_at: true, tenant_id: true, api_key_id: true, provider: true },
  ...{ sealed_memory: true, expires_at: true, agreed_at: true, agreed_to: true, application_id: true },
});

const tables = { kyc: 'kyc_verifications', eid: 'eid_flows' } as const;

function flowRows(db: Database, kind: FlowKind) {
  return db<FlowRow>(tables[kind]);
}

export async function findFlow(db: Database, scope: Scope, kind: FlowKind, id: string): Promise<FlowRow | undefined> {
  return flowRows(db, kind).where({ id }).where(inScope(scope, 'api_key_id')).first();
}

const MAX_LISTED = 20;

const newestOf = (kind: FlowKind) =>
  prepared<FlowRow>(`
  select ${FLOW_COLUMNS} from ${tables[kind]} where tenant_id = ? and api_key_id = ?
  order by created_at desc limit ${MAX_LISTED}`);
const newest = { kyc: newestOf('kyc'), eid: newestOf('eid') };

/** A key's newest flows with a tenant. */
export function listFlowsOfKey(
  db: Database,
  kind: FlowKind,
  { tenant_id, api_key_id }: TenantOfKey,
): Promise<FlowRow[]> {
  return newest[kind](db, tenant_id, api_key_id);
}

/** Stores what the provider needs, unless an earlier start did. */
export async function storeFirstMemory(db: Database, kind: FlowKind, id: string, sealedMemory: string): Promise<void> {
  await retried(db, () =>
    flowRows(db, kind)
      .where({ id, sealed_memory: null })
      .where(hasStatus('pending'))
      .update({ sealed_memory: sealedMemory }),
  );
}

/** Replaces what the provider needs while the flow is open. */
export async function replaceMemory(
  db: Database,
  kind: FlowKind,
  id: string,
  sealedMemory: string,
  now: Date,
): Promise<void> {
  await retried(db, () =>
    flowRows(db, kind)
      .where({ id })
      .where(hasStatus('pending'))
      .where('expires_at', '>', now.toISOString())
      .update({ sealed_memory: sealedMemory }),
  );
}

/** Records that the person agreed to an open flow. Only the first time counts. */
export async function recordAgreement(
  db: Database,
  kind: FlowKind,
  id: string,
  agreedTo: string,
  now: Date,
): Promise<void> {
  await retried(db, () =>
    flowRows(db, kind)
      .where({ id, agreed_at: null })
      .where(hasStatus('pending'))
      .update({ agreed_at: now.toISOString(), agreed_to: agreedTo }),
  );
}

/** Schedules the next check of a pending flow, unless it was made due in the meantime. */
export async function planFlow(trx: Transaction, kind: FlowKind, id: string, now: Date, next: Date): Promise<void> {
  const isLater = (row: Knex.QueryBuilder) =>
    row.where('due_at', '>', isoAfter(now, CLOCK_DIFFERENCE_MS)).whereRaw('coalesce(leased_by, ?) <> ?', ['', QUEUED]);
  await flowRows(trx, kind)
    .where({ id })
    .where(hasStatus('pending'))
    .where((row) => row.whereNull('due_at').orWhere(isLater))
    .update({ ...dueAt(next), failures: 0, failure: null });
}

/** Makes a flow that is not over due now. @returns false when it is over */
export async function makeFlowDue(trx: Transaction, kind: FlowKind, id: string, now: Date): Promise<boolean> {
  const open = await flowRows(trx, kind).where({ id }).where(isUnfinished).update(dueAt(now));
  return open === 1;
}

export interface FlowEnd {
  status: 'verified' | 'rejected' | 'succeeded' | 'cancelled' | 'failed' | 'expired';
  failure?: string;
}

/** Ends a flow and clears its memory, unless its status has changed since it was read. @returns whether it did */
export async function endFlow(
  db: Database,
  kind: FlowKind,
  { id, status }: Pick<FlowRow, 'id' | 'status'>,
  end: FlowEnd,
  now: Date,
): Promise<boolean> {
  const ended = await retried(db, () =>
    flowRows(db, kind)
      .where({ id })
      .where(hasStatus(status))
      .update({ failure: null, ...end, sealed_memory: null, ...dueAt(null), finished_at: now.toISOString() }),
  );
  return ended === 1;
}

/** Ends every open flow that a key started with a tenant. */
export async function endFlowsOfKey(trx: Transaction, of: TenantOfKey, end: FlowEnd, now: Date): Promise<void> {
  for (const kind of ['kyc', 'eid'] as const)
    await flowRows(trx, kind)
      .where({ tenant_id: of.tenant_id, api_key_id: of.api_key_id })
      .whereNull('finished_at')
      .update({ ...end, sealed_memory: null, ...dueAt(null), finished_at: now.toISOString() });
}
