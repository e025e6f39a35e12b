import type { Transaction } from '../db/connect.ts';
import type { KycVerificationRow } from '../db/rows.ts';
import { getTenant } from '../db/tenants.ts';
import type { KycOutcome } from '../providers/providers.ts';
import { emitEvent } from './emit-event.ts';
import { endFlow, identityFlow, isExpired, planLook } from './identity-flows.ts';
import type { Runtime } from './runtime.ts';
import { startForensic } from './start-forensic.ts';

/** Asks the provider how a verification stands and records it; success is told and may start the forensic run. */
export async function completeKyc(runtime: Runtime, id: string): Promise<void> {
  const { db, providers } = runtime;
  const row = await db('kyc_verifications').where({ id, status: 'pending' }).first();
  if (!row) return;
  const flow = identityFlow(row, await getTenant(db, row.tenant_id), runtime);
  const outcome = await providers.kyc.outcome(flow);
  await db.transaction((trx) => record(trx, runtime, row, outcome, providers.kyc.pollMs(flow)));
}

async function record(
  trx: Transaction,
  runtime: Runtime,
  row: KycVerificationRow,
  outcome: KycOutcome,
  pollMs: number,
): Promise<void> {
  const moment = runtime.now();
  if (outcome.state === 'verified') return recordVerified(trx, runtime, row, outcome.result, moment);
  if (outcome.state !== 'pending')
    await endFlow(trx, 'kyc', row, { status: outcome.state, failure: outcome.reason }, moment);
  else if (isExpired(row, moment)) await endFlow(trx, 'kyc', row, { status: 'expired' }, moment);
  else await planLook(trx, 'kyc', runtime, row, pollMs, moment);
}

async function recordVerified(
  trx: Transaction,
  { queue }: Runtime,
  row: KycVerificationRow,
  result: Record<string, unknown>,
  now: Date,
): Promise<void> {
  const { id, tenant_id } = row;
  if (!(await endFlow(trx, 'kyc', row, { status: 'verified' }, now))) return;
  const data = { tenant_id, ...result, verified_at: now.toISOString() };
  await trx('kyc_verifications')
    .where({ id })
    .update({ result: JSON.stringify(data) });
  await emitEvent(trx, queue, tenant_id, { event: 'KYC_VERIFICATION_DATA', data }, now);
  await startForensic(trx, queue, tenant_id, now);
}
