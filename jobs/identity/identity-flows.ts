import { correlationId } from '../../core/correlation.ts';
import { ValidationError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { REFUSALS } from '../../core/messages.ts';
import { type Party, partyOfKey } from '../../core/party.ts';
import type { TenantOfKey } from '../../core/rules/tenant-of-key.ts';
import { type FlowKind, flowToken, unsealText } from '../../core/secrets/secrets.ts';
import { isoAfter } from '../../core/time.ts';
import { countUse } from '../../db/access/daily-uses.ts';
import { findRequester, hasOtherKey } from '../../db/applications/requester.ts';
import type { TenantRow } from '../../db/applications/tenants.ts';
import { type Actor, recordAudit } from '../../db/audit/audit.ts';
import type { Database, Transaction } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { endFlow, type FlowEnd, type FlowRow, makeFlowDue, planFlow } from '../../db/identity/flows.ts';
import { dueAt } from '../../db/work/work.ts';
import type { IdentityFlow } from '../../providers/identity/port.ts';
import type { Runtime } from '../runtime.ts';

export type StartingFlow = Pick<
  Runtime,
  'db' | 'queue' | 'providers' | 'keys' | 'publicUrl' | 'flowLifetimeMs' | 'limits'
>;

/** The distance between two sessions of a person at a provider that costs money. */
const MIN_SESSION_DISTANCE_MS = 3_600_000;

/** Since when a session counts: a later call gets the same one. Undefined for a simulated provider. */
export function sessionsSince({ isMetered }: { isMetered: boolean }, now: Date): string | undefined {
  return isMetered ? isoAfter(now, -MIN_SESSION_DISTANCE_MS) : undefined;
}

/** Counts a verification that an API key starts. @throws ValidationError when the key has started its verifications of the day */
export async function countVerification(
  trx: Transaction,
  of: TenantOfKey,
  kind: FlowKind,
  { limits }: Pick<Runtime, 'limits'>,
  now: Date,
): Promise<void> {
  const use = {
    api_key_id: of.api_key_id,
    kind: kind === 'kyc' ? ('kyc verifications' as const) : ('eid flows' as const),
  };
  if (await countUse(trx, use, limits.verifications, now)) throw new ValidationError([], REFUSALS.dailyVerifications);
}

const jobs = { kyc: 'complete-kyc', eid: 'complete-eid' } as const;

/**
 * @param name on the document that simulated providers receive
 */
export function identityFlow(
  row: FlowRow,
  { id, email }: TenantRow,
  { keys }: Pick<Runtime, 'keys'>,
  name = '',
): IdentityFlow {
  const memory = row.sealed_memory === null ? null : unsealText(row.sealed_memory, keys.encryption);
  const tenant = { id, email, name };
  return { id: row.id, tenant, startedAt: new Date(row.created_at), memory };
}

/** The name under which the requesting landlord knows the person, or the account's, unless that may come from another API key. */
export async function nameFor(db: Database, row: FlowRow, account: TenantRow): Promise<string> {
  const requester = await findRequester(db, row);
  if (requester?.name) return requester.name;
  return (await hasOtherKey(db, row)) ? '' : account.name;
}

/** The address of a flow's hosted page; it carries the token that opens the page. */
export function flowAddress(
  kind: FlowKind,
  id: string,
  { publicUrl, keys }: Pick<Runtime, 'publicUrl' | 'keys'>,
): string {
  return `${publicUrl()}/verify/${kind}/${flowToken(kind, id, keys.encryption)}`;
}

export function newFlow(
  { tenant_id, api_key_id }: TenantOfKey,
  provider: { name: string },
  { flowLifetimeMs }: Pick<Runtime, 'flowLifetimeMs'>,
  now: Date,
) {
  return {
    id: newId(),
    tenant_id,
    api_key_id,
    provider: provider.name,
    status: 'pending' as const,
    sealed_memory: null,
    failures: 0,
    expiries: 0,
    failure: null,
    ...dueAt(null),
    correlation_id: correlationId() ?? null,
    created_at: now.toISOString(),
    expires_at: isoAfter(now, flowLifetimeMs),
    finished_at: null,
    agreed_at: null,
    agreed_to: null,
    application_id: null,
  };
}

/** Whether a pending flow has expired. */
export function isExpired({ status, expires_at }: FlowRow, now: Date): boolean {
  return status === 'pending' && expires_at <= now.toISOString();
}

/** Why an open flow must end: it has expired, or another provider than the current one started it. */
export function endOf(row: FlowRow, provider: { name: string }, now: Date): FlowEnd | undefined {
  if (row.finished_at === null && row.provider !== provider.name)
    return { status: 'failed', failure: `It was begun with another provider (${row.provider}).` };
  return isExpired(row, now) ? { status: 'expired' } : undefined;
}

/** Schedules the next check of a flow: when its provider may know more, at the latest when it expires. A check that is already due stays. */
export function schedulePoll(
  trx: Transaction,
  kind: FlowKind,
  flow: Pick<FlowRow, 'id' | 'expires_at'>,
  pollMs: number,
  now: Date,
): Promise<void> {
  const next = new Date(Math.min(now.getTime() + pollMs, new Date(flow.expires_at).getTime()));
  return planFlow(trx, kind, flow.id, now, next);
}

/** Ends a flow that did not succeed, or schedules the next check until it expires. */
export async function recordUnfinished(
  trx: Transaction,
  kind: FlowKind,
  row: FlowRow,
  outcome: { state: 'pending' } | { state: Exclude<FlowEnd['status'], 'verified' | 'succeeded'>; reason: string },
  pollMs: number,
  now: Date,
): Promise<void> {
  if (outcome.state !== 'pending')
    await endFlow(trx, kind, row, { status: outcome.state, failure: outcome.reason }, now);
  else if (isExpired(row, now)) await endFlow(trx, kind, row, { status: 'expired' }, now);
  else await schedulePoll(trx, kind, row, pollMs, now);
}

/** Makes a flow due now. A no-op when it is over. */
export async function pollNow(
  trx: Transaction,
  kind: FlowKind,
  { queue }: Pick<Runtime, 'queue'>,
  id: string,
  now: Date,
): Promise<void> {
  if (await makeFlowDue(trx, kind, id, now)) await queue.send(trx, jobs[kind], [id]);
}

/** The outcome of a flow that an operator cancels: the same as expiry. */
export const CANCELLED = { status: 'expired', failure: 'It was ended by an operator.' } as const;

/** Ends a flow that its person has not finished: its link stops working. @returns false when it is not waiting for a person */
export function cancelFlow(
  { db, now }: Pick<Runtime, 'db' | 'now'>,
  kind: FlowKind,
  id: string,
  by: Actor,
): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const isEnded = await endFlow(trx, kind, { id, status: 'pending' }, CANCELLED, now());
    if (isEnded) await recordAudit(trx, by, `${kind}.cancel`, id, now());
    return isEnded;
  });
}

/** The person, within the API key for which the flow runs. */
export function partyOfFlow({ api_key_id, tenant_id }: Pick<FlowRow, 'api_key_id' | 'tenant_id'>): Party {
  return partyOfKey(api_key_id, tenant_id);
}
