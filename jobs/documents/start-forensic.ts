import { type ForensicStatus, forensicDecision } from '../../core/rules/forensic-decision.ts';
import type { TenantOfKey } from '../../core/rules/tenant-of-key.ts';
import { lockTenant } from '../../db/applications/tenants.ts';
import type { Transaction } from '../../db/connection/database.ts';
import { hasDocuments } from '../../db/documents/documents.ts';
import { findOpenRun, hasCompletedRun, insertForensicRun } from '../../db/documents/forensic-runs.ts';
import { isKycVerified } from '../../db/identity/kyc-verifications.ts';
import type { Queue } from '../../queue/queue.ts';

/**
 * Decides by table 3.3 of the product document whether to analyse the documents that a key has of a tenant, and queues a run in the caller's
 * transaction. Called by the operation run-forensic, and automatically when KYC completes or documents arrive.
 */
export async function startForensic(
  trx: Transaction,
  queue: Queue<'run-forensic'>,
  of: TenantOfKey,
  now: Date,
): Promise<ForensicStatus> {
  await lockTenant(trx, of.tenant_id);
  const decision = forensicDecision(await forensicFacts(trx, of));
  if (decision === 'QUEUED') await queue.send(trx, 'run-forensic', [await insertForensicRun(trx, of, now)]);
  return decision;
}

async function forensicFacts(trx: Transaction, of: TenantOfKey) {
  return {
    openRun: (await findOpenRun(trx, of))?.status,
    hasDocuments: await hasDocuments(trx, of),
    hasAnalysis: await hasCompletedRun(trx, of),
    kycCompleted: await isKycVerified(trx, of),
  };
}
