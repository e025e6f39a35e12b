import { checkLength } from '../core/rules/lengths.ts';
import { findActiveParticipant, findApplication, lockApplication } from '../db/applications/applications.ts';
import { readsIn } from '../db/connection/queries/key-reads.ts';
import { inTransaction } from '../db/connection/transactions.ts';
import { changeParticipant } from '../jobs/invitations/group.ts';
import { applicationView } from './application-view.ts';
import { callerOf } from './audit-caller.ts';
import type { Answer, Handler } from './handler.ts';

/** Product document 4.4. */
export const updateParticipant: Handler<'updateParticipant'> = async (
  { params, body },
  ctx,
): Answer<'updateParticipant'> => {
  const { apiKeyId } = ctx.caller;
  const { applicationId, email } = params;
  const { name, is_guarantor: isGuarantor } = body;
  if (name !== undefined) checkLength('name', name, ctx.limits.name);
  return inTransaction(ctx.db, async (trx) => {
    await lockApplication(trx, apiKeyId, applicationId);
    const participant = await findActiveParticipant(trx, applicationId, email);
    await changeParticipant(trx, ctx, participant, { name, isGuarantor }, callerOf(ctx), ctx.now);
    const updated = await findApplication(readsIn(trx, apiKeyId), applicationId);
    return { message: 'Participant updated.', data: applicationView(updated, ctx.now) };
  });
};
