import { newId } from '../core/ids.ts';
import { checkRequestedTenants } from '../core/participants.ts';
import { lockApiKey } from '../db/api-keys.ts';
import { findApplicationByEmails, insertApplication } from '../db/applications.ts';
import type { Transaction } from '../db/connect.ts';
import type { Answer, Context, Handler } from './handler.ts';

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
    for (const participant of participants) if (!participant.is_lead) await invite(trx, ctx, participant.id);
    return { message: 'Application created.', data: { application_id: applicationId, title: body.title } };
  });
};

async function invite(trx: Transaction, { queue, now }: Context, participantId: string): Promise<void> {
  const id = newId();
  const createdAt = now.toISOString();
  await trx('invites').insert({
    id,
    participant_id: participantId,
    status: 'pending',
    due_at: createdAt,
    created_at: createdAt,
  });
  await queue.send(trx, 'send-invite', id);
}
