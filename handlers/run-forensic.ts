import type { ForensicStatus } from '../core/rules/forensic-decision.ts';
import { lockTenantOfKey } from '../db/applications/tenants.ts';
import { inTransaction } from '../db/connection/transactions.ts';
import { startForensic } from '../jobs/documents/start-forensic.ts';
import { auditCaller } from './audit-caller.ts';
import type { Answer, Handler } from './handler.ts';

const messages: Record<ForensicStatus, string> = {
  PENDING: 'The tenant is already queued.',
  PROCESSING: "The tenant's documents are being analysed.",
  DOCUMENTS_ANALYSIS_NOT_FOUND: 'There are no documents to analyse.',
  KYC_PENDING: 'The identity verification (KYC) is not completed.',
  QUEUED: 'The tenant was added to the forensic queue.',
};

/** Product document 4.8. Responds immediately; the result is sent as an event. */
export const runForensic: Handler<'runForensic'> = async ({ params }, ctx): Answer<'runForensic'> => {
  const of = { tenant_id: params.tenantId, api_key_id: ctx.caller.apiKeyId };
  const { status } = await inTransaction(ctx.db, async (trx) => {
    await lockTenantOfKey(trx, of);
    const started = await startForensic(trx, ctx.queue, of, ctx.now);
    if (started.isNew) await auditCaller(trx, ctx, 'forensic.queue', of.tenant_id);
    return started;
  });
  return { message: messages[status], data: { processing_status: status, added_to_queue: status === 'QUEUED' } };
};
