import { Conflict } from '../core/errors.ts';
import {
  findActiveParticipant,
  findApplication,
  lockApplication,
  touchApplication,
} from '../db/applications/applications.ts';
import type { Transaction } from '../db/connection/connect.ts';
import type { components } from '../generated/openapi.d.ts';
import { applicationView } from './application-view.ts';
import { auditCaller } from './audit-caller.ts';
import type { Answer, Handler } from './handler.ts';

type RemovalWarnings = components['schemas']['RemovalWarnings'];

/** Product document 4.5. */
export const removeParticipant: Handler<'removeParticipant'> = async ({ params }, ctx): Answer<'removeParticipant'> => {
  const { apiKeyId } = ctx.caller;
  const { applicationId, email } = params;
  return ctx.db.transaction(async (trx) => {
    await lockApplication(trx, apiKeyId, applicationId);
    const participant = await findActiveParticipant(trx, applicationId, email);
    if (participant.is_lead)
      throw new Conflict('The lead cannot be removed; another participant must become the lead first.');
    await trx('participants').where({ id: participant.id }).update({ removed_at: ctx.now.toISOString() });
    const warnings = await affectPayments(trx, participant.id);
    await touchApplication(trx, applicationId, ctx.now);
    await auditCaller(trx, ctx, 'participant.remove', participant.id);
    const application = applicationView(await findApplication(trx, apiKeyId, applicationId), ctx.now);
    return warnings
      ? { message: 'Participant removed; a pending payment was affected.', data: { ...application, warnings } }
      : { message: 'Participant removed.', data: application };
  });
};

/** Marks a participant's pending payments as affected. @returns undefined when there were none */
async function affectPayments(trx: Transaction, participantId: string): Promise<RemovalWarnings | undefined> {
  const affected = await trx('payments')
    .where({ participant_id: participantId, status: 'pending' })
    .update({ status: 'affected' })
    .returning('is_protected');
  if (affected.length === 0) return undefined;
  return { service_protect_affected: affected.some(({ is_protected }) => is_protected === 1) };
}
