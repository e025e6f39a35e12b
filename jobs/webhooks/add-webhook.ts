import { ValidationError } from '../../core/errors.ts';
import { RULE_MESSAGES } from '../../core/messages.ts';
import { checkLength } from '../../core/rules/lengths.ts';
import { sealText } from '../../core/secrets/secrets.ts';
import { lockApiKey } from '../../db/access/api-keys.ts';
import { type Actor, recordAudit } from '../../db/audit/audit.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { countWebhooks, insertWebhook } from '../../db/webhooks/webhooks.ts';
import { checkAddress } from '../check-address.ts';
import type { Runtime } from '../runtime.ts';

/**
 * Gives an API key a webhook. The quota of webhooks is per API key. The secret is kept encrypted, because every delivery is signed with it.
 * @returns its id @throws ValidationError
 */
export async function addWebhook(
  ctx: Pick<Runtime, 'db' | 'keys' | 'limits' | 'addresses' | 'providers'>,
  { apiKeyId, url, secret }: { apiKeyId: string; url: string; secret: string | undefined },
  by: Actor,
  now: Date,
): Promise<string> {
  const { db, keys, limits } = ctx;
  checkLength('url', url, limits.address);
  if (secret !== undefined) checkLength('secret', secret, limits.secret);
  await checkAddress('url', url, ctx);
  const sealedSecret = secret === undefined ? null : sealText(secret, keys.encryption);
  return inTransaction(db, async (trx) => {
    await lockApiKey(trx, apiKeyId);
    if ((await countWebhooks(trx, apiKeyId)) >= limits.webhooks)
      throw new ValidationError([{ field: 'url', message: RULE_MESSAGES.tooManyWebhooks(limits.webhooks) }]);
    const id = await insertWebhook(trx, { apiKeyId, url, sealedSecret }, now);
    await recordAudit(trx, by, 'webhook.create', id, now);
    return id;
  });
}
