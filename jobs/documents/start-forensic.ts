import { newId } from '../../core/ids.ts';
import { type ForensicStatus, forensicDecision } from '../../core/rules/forensic-decision.ts';
import { lockTenant } from '../../db/applications/tenants.ts';
import type { Transaction } from '../../db/connection/connect.ts';
import type { Queue } from '../queue/queue.ts';

/**
 * Decides by table 3.3 whether the tenant is queued and, if so, queues them: run and job are made in the caller's
 * transaction. Called by run-forensic, and by itself when KYC completes or documents arrive.
 */
export async function startForensic(
  trx: Transaction,
  queue: Queue,
  tenantId: string,
  now: Date,
): Promise<ForensicStatus> {
  await lockTenant(trx, tenantId);
  const decision = forensicDecision(await forensicFacts(trx, tenantId));
  if (decision === 'QUEUED') {
    const id = newId();
    const createdAt = now.toISOString();
    await trx('forensic_runs').insert({
      id,
      tenant_id: tenantId,
      status: 'pending',
      due_at: createdAt,
      created_at: createdAt,
    });
    await queue.send(trx, 'run-forensic', id);
  }
  return decision;
}

async function forensicFacts(trx: Transaction, tenantId: string) {
  const openRun = await trx('forensic_runs')
    .where({ tenant_id: tenantId })
    .whereIn('status', ['pending', 'processing'])
    .first('status');
  const document = await trx('documents').where({ tenant_id: tenantId }).first('id');
  const analysis = await trx('forensic_runs').where({ tenant_id: tenantId, status: 'completed' }).first('id');
  const kyc = await trx('kyc_verifications').where({ tenant_id: tenantId, status: 'verified' }).first('id');
  return {
    openRun: openRun?.status === 'pending' || openRun?.status === 'processing' ? openRun.status : undefined,
    hasDocuments: document !== undefined,
    hasAnalysis: analysis !== undefined,
    kycCompleted: kyc !== undefined,
  };
}
