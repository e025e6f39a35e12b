import type { ForensicStatus } from '../../core/rules/forensic-decision.ts';
import type { TenantOfKey } from '../../core/rules/tenant-of-key.ts';
import { lockTenantOfKey } from '../../db/applications/tenants.ts';
import { type Actor, recordAudit } from '../../db/audit/audit.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { clearBases } from '../../db/documents/forensic-runs.ts';
import type { Runtime } from '../runtime.ts';
import { startForensic } from './start-forensic.ts';

/** The outcome of a request, in words for operators. */
export const REQUESTED: Record<ForensicStatus, string> = {
  PENDING: 'The tenant is queued already; nothing changed.',
  PROCESSING: 'The documents of the tenant are being analysed; nothing changed.',
  DOCUMENTS_ANALYSIS_NOT_FOUND: 'Nothing was queued: there are no documents to analyse.',
  KYC_PENDING: 'Nothing was queued: the identity verification (KYC) is not completed.',
  QUEUED: 'The tenant was added to the forensic queue.',
};

/**
 * Handles an operator's request to analyse the documents that a key holds of a tenant.
 * @param again analyses even when there is a stored result for the same documents and rules
 * @throws NotFound when the key may no longer address the tenant
 */
export async function requestForensic(
  { db, queue, now }: Pick<Runtime, 'db' | 'queue' | 'now'>,
  of: TenantOfKey,
  again: boolean,
  actor: Actor,
): Promise<ForensicStatus> {
  const moment = now();
  return inTransaction(db, async (trx) => {
    await lockTenantOfKey(trx, of);
    if (again) await clearBases(trx, of);
    const { status, isNew } = await startForensic(trx, queue, of, moment, { isUrgent: true });
    if (isNew) await recordAudit(trx, actor, 'forensic.queue', of.tenant_id, moment);
    return isNew ? 'QUEUED' : status;
  });
}
