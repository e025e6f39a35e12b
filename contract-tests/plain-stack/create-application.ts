import { correlationId } from '../../core/correlation.ts';
import { newId } from '../../core/ids.ts';
import { checkRequestedTenants, comparableEmail, emailSetKey } from '../../core/rules/participants.ts';
import type { Transaction } from '../../db/connection/database.ts';
import type { Context, Handler, Request } from '../../handlers/handler.ts';
import { newLink } from '../../jobs/invitations/invite.ts';

type Asked = Request<'createApplication'>['body'];

/** One Knex builder query per statement. */
export const createApplication: Handler<'createApplication'> = async ({ body }, ctx) => {
  checkRequestedTenants(body.tenants);
  return ctx.db.transaction(async (trx) => {
    const { apiKeyId } = ctx.caller;
    await trx('api_keys').where({ id: apiKeyId }).forNoKeyUpdate().first('id');
    const active_email_key = emailSetKey(body.tenants.map(({ email }) => email));
    const [existing] = await trx('applications')
      .where({ api_key_id: apiKeyId, active_email_key })
      .orderBy(['created_at', 'id']);
    if (existing)
      return {
        message: 'An application with these tenants already exists; no one was invited again.',
        data: { application_id: existing.id, title: existing.title },
      };
    const [id, created_at] = [newId(), ctx.now.toISOString()];
    const application = { id, api_key_id: apiKeyId, title: body.title, active_email_key };
    await trx('applications').insert({ ...application, created_at, updated_at: created_at });
    for (const [position, tenant] of body.tenants.entries()) await addParticipant(trx, ctx, id, position, tenant);
    const entry = { actor_kind: 'api_key' as const, actor: apiKeyId, action: 'application.create', resource_id: id };
    await trx('audit_entries').insert({ ...entry, at: created_at, correlation_id: correlationId() ?? null });
    return { message: 'Application created.', data: { application_id: id, title: body.title } };
  });
};

async function addParticipant(
  trx: Transaction,
  ctx: Context,
  application_id: string,
  position: number,
  { email, is_lead }: Asked['tenants'][number],
): Promise<void> {
  const [id, inviteId] = [newId(), newId()];
  await trx('participants').insert({
    ...{ id, application_id, position, email, comparable_email: comparableEmail(email), name: '' },
    ...{ is_lead: is_lead ? 1 : 0, is_guarantor: 0, consent_status: 'pending', removed_at: null },
  });
  if (is_lead) return;
  const now = ctx.now.toISOString();
  const invite = {
    id: inviteId,
    participant_id: id,
    api_key_id: ctx.caller.apiKeyId,
    status: 'pending' as const,
    due_at: now,
    created_at: now,
  };
  await trx('invites').insert({ ...invite, ...newLink(ctx, ctx.now).link });
  await ctx.queue.send(trx, 'send-invite', [inviteId]);
}
