import { checkRequestedTenants } from '../core/participants.ts';
import { lockApiKey } from '../db/api-keys.ts';
import { findApplicationByEmails, insertApplication } from '../db/applications.ts';
import { inviteParticipant } from '../jobs/invite.ts';
import { auditCaller } from './audit-caller.ts';
import type { Answer, Handler } from './handler.ts';

/** Product document 4.2. The key's creators take turns, so that rule 5 holds for simultaneous calls too. */
export const createApplication: Handler<'createApplication'> = async ({ body }, ctx): Answer<'createApplication'> => {
  const { apiKeyId } = ctx.caller;
  checkRequestedTenants(body.tenants);
  return ctx.db.transaction(async (trx) => {
    await lockApiKey(trx, apiKeyId);
    const emails = body.tenants.map(({ email }) => email);
    const existing = await findApplicationByEmails(trx, apiKeyId, emails);
    if (existing)
      return {
        message: 'An application with these tenants already exists; nobody was invited again.',
        data: { application_id: existing.id, title: existing.title },
      };
    const people = body.tenants.map(({ email, is_lead }) => ({ email, isLead: is_lead }));
    const { applicationId, participants } = await insertApplication(trx, apiKeyId, body.title, people, ctx.now);
    for (const participant of participants) if (!participant.is_lead) await inviteParticipant(trx, ctx, participant.id);
    await auditCaller(trx, ctx, 'application.create', applicationId);
    return { message: 'Application created.', data: { application_id: applicationId, title: body.title } };
  });
};
