import { checkRequestedTenants } from '../core/rules/participants.ts';
import { lockApiKey } from '../db/access/api-keys.ts';
import { findSameApplication, insertApplication, newApplication } from '../db/applications/applications.ts';
import { inShortTransaction } from '../db/connection/short-transaction.ts';
import { inviteParticipants } from '../jobs/invitations/invite.ts';
import { auditCaller } from './audit-caller.ts';
import type { Answer, Handler } from './handler.ts';

/** Product document 4.2. A lock per API key makes rule 5 hold for concurrent calls. */
export const createApplication: Handler<'createApplication'> = async ({ body }, ctx): Answer<'createApplication'> => {
  const { apiKeyId } = ctx.caller;
  checkRequestedTenants(body.tenants);
  const people = body.tenants.map(({ email, is_lead }) => ({ email, isLead: is_lead }));
  const application = newApplication(apiKeyId, body.title, people, ctx.now);
  return inShortTransaction(ctx.db, async (trx) => {
    const [, existing] = await Promise.all([lockApiKey(trx, apiKeyId), findSameApplication(trx, application)]);
    if (existing)
      return {
        message: 'An application with these tenants already exists; nobody was invited again.',
        data: { application_id: existing.id, title: existing.title },
      };
    const invited = application.participants.filter(({ is_lead }) => !is_lead).map(({ id }) => id);
    trx.last(insertApplication(trx, application), auditCaller(trx, ctx, 'application.create', application.id));
    await inviteParticipants(trx, ctx, invited);
    return { message: 'Application created.', data: { application_id: application.id, title: application.title } };
  });
};
