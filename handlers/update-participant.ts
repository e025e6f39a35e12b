import { checkLength } from '../core/rules/lengths.ts';
import {
  findActiveParticipant,
  findApplication,
  lockApplication,
  setParticipant,
  touchApplication,
} from '../db/applications/applications.ts';
import { inTransaction } from '../db/connection/transactions.ts';
import { mailNewRole } from '../jobs/invitations/person-mail.ts';
import { applicationView } from './application-view.ts';
import { auditCaller } from './audit-caller.ts';
import type { Answer, Handler } from './handler.ts';

/** Product document 4.4. Omitted fields keep their values, and `updated_at` moves only with a change. */
export const updateParticipant: Handler<'updateParticipant'> = async (
  { params, body },
  ctx,
): Answer<'updateParticipant'> => {
  const { apiKeyId } = ctx.caller;
  const { applicationId, email } = params;
  const { name, is_guarantor } = body;
  if (name !== undefined) checkLength('name', name, ctx.limits.name);
  return inTransaction(ctx.db, async (trx) => {
    await lockApplication(trx, apiKeyId, applicationId);
    const participant = await findActiveParticipant(trx, applicationId, email);
    const next = {
      name: name ?? participant.name,
      is_guarantor: is_guarantor === undefined ? participant.is_guarantor : is_guarantor ? (1 as const) : (0 as const),
    };
    if (next.name !== participant.name || next.is_guarantor !== participant.is_guarantor) {
      await setParticipant(trx, participant.id, next);
      await auditCaller(trx, ctx, 'participant.update', participant.id);
      await touchApplication(trx, applicationId, ctx.now);
      if (next.is_guarantor !== participant.is_guarantor) await mailNewRole(trx, ctx, participant, ctx.now);
    }
    const updated = await findApplication(trx, apiKeyId, applicationId);
    return { message: 'Participant updated.', data: applicationView(updated, ctx.now) };
  });
};
