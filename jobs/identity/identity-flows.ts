import { newId } from '../../core/ids.ts';
import { type FlowKind, flowToken, unsealText } from '../../core/secrets/secrets.ts';
import { isoAfter } from '../../core/time.ts';
import type { TenantRow } from '../../db/applications/tenants.ts';
import type { Database, Transaction } from '../../db/connection/connect.ts';
import type { EidFlowRow } from '../../db/identity/eid-flows.ts';
import type { FlowRow } from '../../db/identity/flows.ts';
import type { KycVerificationRow } from '../../db/identity/kyc-verifications.ts';
import type { IdentityFlow } from '../../providers/identity/port.ts';
import { CLOCK_DIFFERENCE_MS, workRows } from '../queue/claims.ts';
import type { Runtime } from '../runtime.ts';

/** A flow's rows and its job, by what kind of flow it is. */
const kinds = {
  kyc: { table: 'kyc_verifications', job: 'complete-kyc' },
  eid: { table: 'eid_flows', job: 'complete-eid' },
} as const;

/** The columns that both kinds of flow share. */
export function flowRows(db: Database, kind: FlowKind) {
  return db<FlowRow>(kinds[kind].table);
}

/** A stored flow as its provider sees it. */
export function identityFlow(row: FlowRow, tenant: TenantRow, { keys }: Pick<Runtime, 'keys'>): IdentityFlow {
  const memory = row.sealed_memory === null ? null : unsealText(row.sealed_memory, keys.encryption);
  return { id: row.id, tenant, startedAt: new Date(row.created_at), memory };
}

/** The hosted page of a flow, which its address alone opens. */
export function flowAddress(
  kind: FlowKind,
  id: string,
  { publicUrl, keys }: Pick<Runtime, 'publicUrl' | 'keys'>,
): string {
  return `${publicUrl()}/verify/${kind}/${flowToken(kind, id, keys.encryption)}`;
}

/** What a flow is like when it begins. */
export function newFlow(
  tenantId: string,
  provider: { name: string },
  { flowLifetimeMs }: Pick<Runtime, 'flowLifetimeMs'>,
  now: Date,
) {
  return {
    id: newId(),
    tenant_id: tenantId,
    provider: provider.name,
    status: 'pending' as const,
    sealed_memory: null,
    failures: 0,
    failure: null,
    due_at: null,
    created_at: now.toISOString(),
    expires_at: isoAfter(now, flowLifetimeMs),
    finished_at: null,
  };
}

/** Whether a flow that nobody finished has run out of time. */
export function isExpired({ status, expires_at }: FlowRow, now: Date): boolean {
  return status === 'pending' && expires_at <= now.toISOString();
}

/** Why a flow that is not over cannot go on: its time is over, or the provider that began it is not the one of today. */
export function endOf(row: FlowRow, provider: { name: string }, now: Date): FlowEnd | undefined {
  if (row.finished_at === null && row.provider !== provider.name)
    return { status: 'failed', failure: `It was begun with another provider (${row.provider}).` };
  return isExpired(row, now) ? { status: 'expired' } : undefined;
}

/** Plans the next time that a flow is looked at unbidden: when its provider may know more, and at its end at the latest. */
export async function planLook(
  trx: Transaction,
  kind: FlowKind,
  { queue }: Pick<Runtime, 'queue'>,
  flow: Pick<FlowRow, 'id' | 'expires_at'>,
  pollMs: number,
  now: Date,
): Promise<void> {
  const next = new Date(Math.min(now.getTime() + pollMs, new Date(flow.expires_at).getTime()));
  // Whoever reported meanwhile wants it looked at now.
  const planned = await workRows(trx, kinds[kind].table)
    .where({ id: flow.id, status: 'pending' })
    .where((held) => held.whereNull('due_at').orWhere('due_at', '>', isoAfter(now, CLOCK_DIFFERENCE_MS)))
    .update({ due_at: next.toISOString(), failures: 0, failure: null });
  if (planned === 1) await queue.send(trx, kinds[kind].job, { id: flow.id, startAfter: next });
}

/** Has a flow looked at now. Harmless when it is over. */
export async function lookNow(
  trx: Transaction,
  kind: FlowKind,
  { queue }: Pick<Runtime, 'queue'>,
  id: string,
  now: Date,
): Promise<void> {
  const open = await workRows(trx, kinds[kind].table)
    .where({ id })
    .whereNotNull('due_at')
    .update({ due_at: now.toISOString() });
  if (open === 1) await queue.send(trx, kinds[kind].job, id);
}

type EndStatus = Exclude<KycVerificationRow['status'] | EidFlowRow['status'], 'pending' | 'downloading'>;

export interface FlowEnd {
  status: EndStatus;
  failure?: string;
}

/** Ends a flow, if it still is as it was when it was read; what was remembered for it is forgotten. @returns whether it did */
export async function endFlow(
  trx: Database,
  kind: FlowKind,
  { id, status }: Pick<FlowRow, 'id' | 'status'>,
  end: FlowEnd,
  now: Date,
): Promise<boolean> {
  const ended = await flowRows(trx, kind)
    .where({ id, status })
    .update({ failure: null, ...end, sealed_memory: null, due_at: null, finished_at: now.toISOString() });
  return ended === 1;
}
