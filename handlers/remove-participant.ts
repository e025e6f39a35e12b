import { Conflict } from '../core/errors.ts';
import { REFUSALS } from '../core/messages.ts';
import {
  findActiveParticipant,
  findApplication,
  lockApplication,
  setParticipant,
  touchApplication,
} from '../db/applications/applications.ts';
import { affectPayments, type PaymentRow } from '../db/applications/payments.ts';
import { inTransaction } from '../db/connection/transactions.ts';
import type { components } from '../generated/openapi.d.ts';
import { endParticipation } from '../jobs/invitations/end-participation.ts';
import { applicationView } from './application-view.ts';
import { auditCaller } from './audit-caller.ts';
import type { Answer, Handler } from './handler.ts';

type RemovalWarnings = components['schemas']['RemovalWarnings'];

/** Product document 4.5. */
export const removeParticipant: Handler<'removeParticipant'> = async ({ params }, ctx): Answer<'removeParticipant'> => {
  const { apiKeyId } = ctx.caller;
  const { applicationId, email } = params;
  return inTransaction(ctx.db, async (trx) => {
    await lockApplication(trx, apiKeyId, applicationId);
    const participant = await findActiveParticipant(trx, applicationId, email);
    if (participant.is_lead) throw new Conflict(REFUSALS.leadStays);
    await setParticipant(trx, participant.id, { removed_at: ctx.now.toISOString() });
    await endParticipation(trx, participant.id, ctx.now);
    const warnings = removalWarnings(await affectPayments(trx, participant.id));
    await touchApplication(trx, applicationId, ctx.now);
    await auditCaller(trx, ctx, 'participant.remove', participant.id);
    const application = applicationView(await findApplication(trx, apiKeyId, applicationId), ctx.now);
    return warnings
      ? { message: 'Participant removed; a pending payment was affected.', data: { ...application, warnings } }
      : { message: 'Participant removed.', data: application };
  });
};

/** Undefined when no payment was affected. */
function removalWarnings(affected: readonly Pick<PaymentRow, 'is_protected'>[]): RemovalWarnings | undefined {
  if (affected.length === 0) return undefined;
  return { service_protect_affected: affected.some(({ is_protected }) => is_protected === 1) };
}
