import { findActiveParticipant, findApplication, lockApplication } from '../db/applications/applications.ts';
import type { PaymentRow } from '../db/applications/payments.ts';
import { readsIn } from '../db/connection/queries/key-reads.ts';
import { inTransaction } from '../db/connection/transactions.ts';
import type { components } from '../generated/openapi.d.ts';
import { leaveGroup } from '../jobs/invitations/group.ts';
import { applicationView } from './application-view.ts';
import { callerOf } from './audit-caller.ts';
import type { Answer, Handler } from './handler.ts';

type RemovalWarnings = components['schemas']['RemovalWarnings'];

/** Product document 4.5. */
export const removeParticipant: Handler<'removeParticipant'> = async ({ params }, ctx): Answer<'removeParticipant'> => {
  const { apiKeyId } = ctx.caller;
  const { applicationId, email } = params;
  return inTransaction(ctx.db, async (trx) => {
    await lockApplication(trx, apiKeyId, applicationId);
    const participant = await findActiveParticipant(trx, applicationId, email);
    const warnings = removalWarnings(await leaveGroup(trx, participant, callerOf(ctx), ctx.now));
    const application = applicationView(await findApplication(readsIn(trx, apiKeyId), applicationId), ctx.now);
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
