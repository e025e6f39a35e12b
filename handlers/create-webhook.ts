import { addWebhook } from '../jobs/webhooks/add-webhook.ts';
import { callerOf } from './audit-caller.ts';
import type { Answer, Handler } from './handler.ts';

/** Product document 4.11. */
export const createWebhook: Handler<'createWebhook'> = async ({ body }, ctx): Answer<'createWebhook'> => {
  const { url, secret } = body;
  const { apiKeyId } = ctx.caller;
  const id = await addWebhook(ctx, { apiKeyId, url, secret }, callerOf(ctx), ctx.now);
  const data = { id, url, status: 'active' as const };
  return { message: 'Webhook created.', data: secret === undefined ? data : { ...data, secret } };
};
