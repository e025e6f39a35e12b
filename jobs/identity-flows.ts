import { newId } from '../core/ids.ts';
import { isoAfter } from '../core/time.ts';
import type { Transaction } from '../db/connect.ts';
import type { EidFlowRow, KycVerificationRow, TenantRow } from '../db/rows.ts';
import { lockTenant } from '../db/tenants.ts';
import type { IdentityFlow } from '../providers/providers.ts';
import type { Queue } from './queue.ts';
import type { Runtime } from './runtime.ts';
import { workRows, works } from './work.ts';

/** A stored flow as its provider sees it. */
export function identityFlow(flow: KycVerificationRow | EidFlowRow, tenant: TenantRow): IdentityFlow {
  return { id: flow.id, tenant, startedAt: new Date(flow.created_at) };
}

/** The tenant's verification that is under way, or a new one whose outcome is asked for after `pollMs`. */
export async function openKycVerification(
  trx: Transaction,
  queue: Queue,
  tenantId: string,
  pollMs: number,
  now: Date,
): Promise<KycVerificationRow> {
  await lockTenant(trx, tenantId);
  const live = await trx('kyc_verifications').where({ tenant_id: tenantId, status: 'pending' }).first();
  if (live) return live;
  const verification: KycVerificationRow = {
    ...newFlow(tenantId, pollMs, now),
    status: 'pending',
    result: null,
  };
  await trx('kyc_verifications').insert(verification);
  await queue.send(trx, 'complete-kyc', verification.id, { startAfter: new Date(now.getTime() + pollMs) });
  return verification;
}

/** A new national eID flow; each has its own place to return to, so several may be under way. */
export async function openEidFlow(
  trx: Transaction,
  queue: Queue,
  tenantId: string,
  redirectUrl: string,
  pollMs: number,
  now: Date,
): Promise<EidFlowRow> {
  const flow: EidFlowRow = { ...newFlow(tenantId, pollMs, now), status: 'pending', redirect_url: redirectUrl };
  await trx('eid_flows').insert(flow);
  await queue.send(trx, 'complete-eid', flow.id, { startAfter: new Date(now.getTime() + pollMs) });
  return flow;
}

/** Plans the next look at a flow that is still pending, or ends one that failed. Nothing is told of either. */
export async function recordUnfinished(
  trx: Transaction,
  { queue, now }: Runtime,
  job: 'complete-kyc' | 'complete-eid',
  id: string,
  outcome: { state: 'pending' } | { state: 'failed'; reason: string },
  pollMs: number,
): Promise<void> {
  const moment = now();
  const pending = workRows(trx, works[job].table).where({ id, status: 'pending' });
  if (outcome.state === 'failed') {
    const end = { status: 'failed', failure: outcome.reason, due_at: null, finished_at: moment.toISOString() };
    await pending.update(end);
    return;
  }
  const next = new Date(moment.getTime() + pollMs);
  await pending.update({ due_at: next.toISOString() });
  await queue.send(trx, job, id, { startAfter: next });
}

function newFlow(tenantId: string, pollMs: number, now: Date) {
  return {
    id: newId(),
    tenant_id: tenantId,
    failures: 0,
    failure: null,
    due_at: isoAfter(now, pollMs),
    created_at: now.toISOString(),
    finished_at: null,
  };
}
