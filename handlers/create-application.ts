import { checkRequestedTenants } from '../core/rules/participants.ts';
import { lockApiKey } from '../db/access/api-keys.ts';
import { findSameApplication, insertApplication, newApplication } from '../db/applications/applications.ts';
import { recordCreation } from '../db/audit/audit.ts';
import { inShortTransaction } from '../db/connection/short-transaction.ts';
import { inviteParticipants } from '../jobs/invitations/invite.ts';
import { simulatePeople } from '../jobs/invitations/simulated-people.ts';
import { callerOf } from './audit-caller.ts';
import type { Answer, Handler } from './handler.ts';

/**
 * Product document 4.2. Idempotent for the same people. All statements are sent before the first answer, so the database decides:
 * 1. A lock per API key enforces rule 5 for concurrent calls.
 * 2. The application and its rows are inserted, unless the key already has an application with the same people.
 * 3. The application with these people is read, whether new or existing.
 */
export const createApplication: Handler<'createApplication'> = async ({ body }, ctx): Answer<'createApplication'> => {
  const { apiKeyId, mailsLead = false } = ctx.caller;
  checkRequestedTenants(body.tenants);
  const people = body.tenants.map(({ email, is_lead }) => ({ email, isLead: is_lead }));
  const application = newApplication(apiKeyId, body.title, people, ctx.now);
  const invited = application.participants.filter(({ is_lead }) => !is_lead).map(({ id }) => id);
  const lead = mailsLead ? application.participants.find(({ is_lead }) => is_lead === 1) : undefined;
  const { found } = await inShortTransaction(ctx.db, async (trx) => {
    trx.last(lockApiKey(trx, apiKeyId), insertApplication(trx, application));
    const same = findSameApplication(trx, application);
    trx.last(same, recordCreation(trx, callerOf(ctx), application.id, ctx.now));
    await inviteParticipants(trx, ctx, { api_key_id: apiKeyId, participantIds: invited, leadId: lead?.id });
    return { found: same };
  });
  const { id, title } = await found;
  if (id === application.id)
    await simulatePeople(
      ctx,
      id,
      people.map(({ email }) => email),
    );
  const message =
    id === application.id
      ? 'Application created.'
      : 'An application with these tenants already exists; no one was invited again.';
  return { message, data: { application_id: id, title } };
};
