import { createGroup } from '../jobs/invitations/group.ts';
import { callerOf } from './audit-caller.ts';
import type { Answer, Handler } from './handler.ts';

/** Product document 4.2. */
export const createApplication: Handler<'createApplication'> = async ({ body }, ctx): Answer<'createApplication'> => {
  const { apiKeyId, mailsLead = false } = ctx.caller;
  const group = { apiKeyId, mailsLead, title: body.title, tenants: body.tenants };
  const { id, title, isNew } = await createGroup(ctx, group, callerOf(ctx), ctx.now);
  const message = isNew
    ? 'Application created.'
    : 'An application with these tenants already exists; no one was invited again.';
  return { message, data: { application_id: id, title } };
};
