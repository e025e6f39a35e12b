import type { ForensicStatus } from '../core/rules/forensic-decision.ts';
import { findTenant } from '../db/applications/tenants.ts';
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
  const tenant = await findTenant(ctx.db, ctx.caller.apiKeyId, params.tenantId);
  const status = await ctx.db.transaction(async (trx) => {
    const started = await startForensic(trx, ctx.queue, tenant.id, ctx.now);
    if (started === 'QUEUED') await auditCaller(trx, ctx, 'forensic.queue', tenant.id);
    return started;
  });
  return { message: messages[status], data: { processing_status: status, added_to_queue: status === 'QUEUED' } };
};
