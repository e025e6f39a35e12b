import type { Transaction } from '../db/connect.ts';
import type { KycVerificationRow } from '../db/rows.ts';
import { getTenant } from '../db/tenants.ts';
import type { KycOutcome } from '../providers/providers.ts';
import { emitEvent } from './emit-event.ts';
import { identityFlow, recordUnfinished } from './identity-flows.ts';
import type { Runtime } from './runtime.ts';
import { startForensic } from './start-forensic.ts';

/** Asks the provider how a verification ended and records it; success is told and may start the forensic run. */
export async function completeKyc(runtime: Runtime, id: string): Promise<void> {
  const { db, providers } = runtime;
  const verification = await db('kyc_verifications').where({ id, status: 'pending' }).first();
  if (!verification) return;
  const tenant = await getTenant(db, verification.tenant_id);
  const outcome = await providers.kyc.outcome(identityFlow(verification, tenant));
  await db.transaction((trx) => record(trx, runtime, verification, outcome));
}

async function record(
  trx: Transaction,
  runtime: Runtime,
  verification: KycVerificationRow,
  outcome: KycOutcome,
): Promise<void> {
  const { id, tenant_id } = verification;
  if (outcome.state === 'pending' || outcome.state === 'failed')
    return recordUnfinished(trx, runtime, 'complete-kyc', id, outcome, runtime.providers.kyc.pollMs);
  const { queue, now } = runtime;
  const moment = now();
  const end = { due_at: null, finished_at: moment.toISOString() };
  const data = { tenant_id, ...outcome.result, verified_at: moment.toISOString() };
  const verified = await trx('kyc_verifications')
    .where({ id, status: 'pending' })
    .update({ ...end, status: 'verified', result: JSON.stringify(data) });
  if (verified === 0) return;
  await emitEvent(trx, queue, tenant_id, { event: 'KYC_VERIFICATION_DATA', data }, moment);
  await startForensic(trx, queue, tenant_id, moment);
}
