import { checkCallerAddress } from '../core/caller-address.ts';
import { newId } from '../core/ids.ts';
import { sealText } from '../core/secrets.ts';
import type { Answer, Handler } from './handler.ts';

/** Product document 4.11. The secret is kept encrypted, because every delivery is signed with it. */
export const createWebhook: Handler<'createWebhook'> = async ({ body }, ctx): Answer<'createWebhook'> => {
  const { url, secret } = body;
  checkCallerAddress('url', url, ctx.addresses);
  const id = newId();
  await ctx.db('webhooks').insert({
    id,
    api_key_id: ctx.caller.apiKeyId,
    url,
    sealed_secret: secret === undefined ? null : sealText(secret, ctx.keys.encryption),
    status: 'active',
    last_triggered_at: null,
    created_at: ctx.now.toISOString(),
  });
  const data = { id, url, status: 'active' as const };
  return { message: 'Webhook created.', data: secret === undefined ? data : { ...data, secret } };
};
