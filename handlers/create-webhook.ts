import { ValidationError } from '../core/errors.ts';
import { RULE_MESSAGES } from '../core/messages.ts';
import { checkLength } from '../core/rules/lengths.ts';
import { sealText } from '../core/secrets/secrets.ts';
import { lockApiKey } from '../db/access/api-keys.ts';
import { inTransaction } from '../db/connection/transactions.ts';
import { countWebhooks, insertWebhook } from '../db/webhooks/webhooks.ts';
import { checkAddress } from '../jobs/check-address.ts';
import { auditCaller } from './audit-caller.ts';
import type { Answer, Handler } from './handler.ts';

/** Product document 4.11. The quota of webhooks is per API key. The secret is kept encrypted, because every delivery is signed with it. */
export const createWebhook: Handler<'createWebhook'> = async ({ body }, ctx): Answer<'createWebhook'> => {
  const { url, secret } = body;
  const { limits } = ctx;
  checkLength('url', url, limits.address);
  if (secret !== undefined) checkLength('secret', secret, limits.secret);
  await checkAddress('url', url, ctx);
  const sealedSecret = secret === undefined ? null : sealText(secret, ctx.keys.encryption);
  const id = await inTransaction(ctx.db, async (trx) => {
    await lockApiKey(trx, ctx.caller.apiKeyId);
    if ((await countWebhooks(trx, ctx.caller.apiKeyId)) >= limits.webhooks)
      throw new ValidationError([{ field: 'url', message: RULE_MESSAGES.tooManyWebhooks(limits.webhooks) }]);
    const webhookId = await insertWebhook(trx, { apiKeyId: ctx.caller.apiKeyId, url, sealedSecret }, ctx.now);
    await auditCaller(trx, ctx, 'webhook.create', webhookId);
    return webhookId;
  });
  const data = { id, url, status: 'active' as const };
  return { message: 'Webhook created.', data: secret === undefined ? data : { ...data, secret } };
};
