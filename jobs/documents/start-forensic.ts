import { type ForensicStatus, forensicDecision } from '../../core/rules/forensic-decision.ts';
import { lockTenant } from '../../db/applications/tenants.ts';
import type { Transaction } from '../../db/connection/connect.ts';
import { hasDocuments } from '../../db/documents/documents.ts';
import { findOpenRun, hasCompletedRun, insertForensicRun } from '../../db/documents/forensic-runs.ts';
import { isKycVerified } from '../../db/identity/kyc-verifications.ts';
import type { Queue } from '../queue/queue.ts';

/**
 * Decides by table 3.3 of the product document whether to analyse the tenant's documents, and queues a run in the caller's
 * transaction. Called by the operation run-forensic, and automatically when KYC completes or documents arrive.
 */
export async function startForensic(
  trx: Transaction,
  queue: Queue,
  tenantId: string,
  now: Date,
): Promise<ForensicStatus> {
  await lockTenant(trx, tenantId);
  const decision = forensicDecision(await forensicFacts(trx, tenantId));
  if (decision === 'QUEUED') await queue.send(trx, 'run-forensic', [await insertForensicRun(trx, tenantId, now)]);
  return decision;
}

async function forensicFacts(trx: Transaction, tenantId: string) {
  return {
    openRun: (await findOpenRun(trx, tenantId))?.status,
    hasDocuments: await hasDocuments(trx, tenantId),
    hasAnalysis: await hasCompletedRun(trx, tenantId),
    kycCompleted: await isKycVerified(trx, tenantId),
  };
}
