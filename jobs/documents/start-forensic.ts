import { type Cause, derivedId, newId } from '../../core/ids.ts';
import {
  type ForensicFacts,
  type ForensicStatus,
  forensicDecision,
  MIN_RESEND_MS,
} from '../../core/rules/forensic-decision.ts';
import type { TenantOfKey } from '../../core/rules/tenant-of-key.ts';
import { lockTenant } from '../../db/applications/tenants.ts';
import type { Transaction } from '../../db/connection/database.ts';
import { hasDocuments } from '../../db/documents/documents.ts';
import {
  advanceForensicRun,
  findLatestResultTime,
  findOpenRun,
  hasCompletedRun,
  insertForensicRun,
} from '../../db/documents/forensic-runs.ts';
import { isKycVerified } from '../../db/identity/kyc-verifications.ts';
import type { Queue } from '../../queue/queue.ts';

export interface StartedForensic {
  status: ForensicStatus;
  /** Whether this call queued a run, due now or once a recent result may be sent again, or made a waiting run due. */
  isNew: boolean;
}

/**
 * Decides by table 3.3 of the product document whether to analyse the documents that a key has of a tenant, and queues a run in the caller's
 * transaction. Called by the operation run-forensic, and automatically when KYC completes or documents arrive.
 * @param options `isUrgent`: there are new documents, or an operator asks: the run does not wait until a recent result may be sent again;
 * `cause`: what the service itself starts the run after
 */
export async function startForensic(
  trx: Transaction,
  queue: Queue<'run-forensic'>,
  of: TenantOfKey,
  now: Date,
  { isUrgent = false, cause }: { isUrgent?: boolean; cause?: Cause | undefined } = {},
): Promise<StartedForensic> {
  await lockTenant(trx, of.tenant_id);
  const open = await findOpenRun(trx, of);
  const resendAt = isUrgent ? now : await findResendTime(trx, of, now);
  const status = forensicDecision(await forensicFacts(trx, of, open?.status, resendAt > now));
  if (open) return { status, isNew: isUrgent && (await advance(trx, queue, open.id, now)) };
  if (status !== 'QUEUED' && status !== 'PENDING') return { status, isNew: false };
  const id = cause ? derivedId(cause, 'run-forensic') : newId();
  await insertForensicRun(trx, of, now, { id, due: resendAt });
  if (status === 'QUEUED') await queue.send(trx, 'run-forensic', [id]);
  return { status, isNew: true };
}

async function advance(trx: Transaction, queue: Queue<'run-forensic'>, id: string, now: Date): Promise<boolean> {
  const isAdvanced = await advanceForensicRun(trx, id, now);
  if (isAdvanced) await queue.send(trx, 'run-forensic', [id]);
  return isAdvanced;
}

async function findResendTime(trx: Transaction, of: TenantOfKey, now: Date): Promise<Date> {
  const latest = await findLatestResultTime(trx, of);
  return new Date(Math.max(now.getTime(), latest ? latest.getTime() + MIN_RESEND_MS : 0));
}

async function forensicFacts(
  trx: Transaction,
  of: TenantOfKey,
  openRun: ForensicFacts['openRun'],
  isResultRecent: boolean,
): Promise<ForensicFacts> {
  return {
    openRun,
    hasDocuments: await hasDocuments(trx, of),
    hasAnalysis: await hasCompletedRun(trx, of),
    kycCompleted: await isKycVerified(trx, of),
    isResultRecent,
  };
}
