import { newId } from '../core/ids.ts';
import { checkRequestedTenants, comparableEmail, emailSetKey } from '../core/participants.ts';
import { lockApiKey } from '../db/api-keys.ts';
import { findApplicationByEmails } from '../db/applications.ts';
import type { Transaction } from '../db/connect.ts';
import type { ParticipantRow } from '../db/rows.ts';
import type { components } from '../generated/openapi.d.ts';
import type { Answer, Context, Handler } from './handler.ts';

type NewApplication = components['schemas']['CreateApplicationRequest'];

/** Product document 4.2. The key's creators take turns, so that rule 5 holds for simultaneous calls too. */
export const createApplication: Handler<'createApplication'> = async ({ body }, ctx): Answer<'createApplication'> => {
  checkRequestedTenants(body.tenants);
  return ctx.db.transaction(async (trx) => {
    await lockApiKey(trx, ctx.caller.apiKeyId);
    const emails = body.tenants.map(({ email }) => email);
    const existing = await findApplicationByEmails(trx, ctx.caller.apiKeyId, emails);
    if (existing)
      return {
        message: 'An application with these tenants already exists; nobody was invited again.',
        data: { application_id: existing.id, title: existing.title },
      };
    const application_id = await insertApplication(trx, ctx, body);
    return { message: 'Application created.', data: { application_id, title: body.title } };
  });
};

async function insertApplication(trx: Transaction, ctx: Context, { title, tenants }: NewApplication): Promise<string> {
  const id = newId();
  const createdAt = ctx.now.toISOString();
  await trx('applications').insert({
    id,
    api_key_id: ctx.caller.apiKeyId,
    title,
    active_email_key: emailSetKey(tenants.map(({ email }) => email)),
    created_at: createdAt,
    updated_at: createdAt,
  });
  const participants = tenants.map(
    ({ email, is_lead }, position): ParticipantRow => ({
      id: newId(),
      application_id: id,
      position,
      email,
      comparable_email: comparableEmail(email),
      name: '',
      is_lead: is_lead ? 1 : 0,
      is_guarantor: 0,
      consent_status: 'pending',
      removed_at: null,
    }),
  );
  await trx('participants').insert(participants);
  for (const participant of participants) if (!participant.is_lead) await invite(trx, ctx, participant.id);
  return id;
}

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
