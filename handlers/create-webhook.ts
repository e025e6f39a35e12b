import { checkCallerAddress } from '../core/addresses/caller-address.ts';
import { sealText } from '../core/secrets/secrets.ts';
import { insertWebhook } from '../db/webhooks/webhooks.ts';
import { auditCaller } from './audit-caller.ts';
import type { Answer, Handler } from './handler.ts';

/** Product document 4.11. The secret is kept encrypted, because every delivery is signed with it. */
export const createWebhook: Handler<'createWebhook'> = async ({ body }, ctx): Answer<'createWebhook'> => {
  const { url, secret } = body;
  checkCallerAddress('url', url, ctx.addresses);
  const sealedSecret = secret === undefined ? null : sealText(secret, ctx.keys.encryption);
  const id = await ctx.db.transaction(async (trx) => {
    const webhookId = await insertWebhook(trx, { apiKeyId: ctx.caller.apiKeyId, url, sealedSecret }, ctx.now);
    await auditCaller(trx, ctx, 'webhook.create', webhookId);
    return webhookId;
  });
  const data = { id, url, status: 'active' as const };
  return { message: 'Webhook created.', data: secret === undefined ? data : { ...data, secret } };
};
