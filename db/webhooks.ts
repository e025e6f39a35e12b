import { newId } from '../core/ids.ts';
import type { Database, Transaction } from './connect.ts';
import { byId } from './deliveries.ts';
import type { WebhookRow } from './rows.ts';

/** A new webhook of an API key. @returns its id */
export async function insertWebhook(
  db: Database,
  { apiKeyId, url, sealedSecret }: { apiKeyId: string; url: string; sealedSecret: string | null },
  now: Date,
): Promise<string> {
  const id = newId();
  await db('webhooks').insert({
    id,
    api_key_id: apiKeyId,
    url,
    sealed_secret: sealedSecret,
    status: 'active',
    last_triggered_at: null,
    failing_since: null,
    paused_at: null,
    pause_reason: null,
    created_at: now.toISOString(),
  });
  return id;
}

/**
 * Forgets a webhook with its deliveries, their attempts and its former secrets. What its endpoint is asked just now ends without a
 * trace. @returns how many deliveries it had, undefined when there is no such webhook
 */
export async function deleteWebhook(trx: Transaction, id: string): Promise<number | undefined> {
  // Whoever adds a delivery to it holds it, so none is added from here on.
  const webhook = await trx('webhooks').where({ id }).forUpdate().first('id');
  if (!webhook) return undefined;
  const deliveries = () => trx('deliveries').where({ webhook_id: id }).select('id');
  await deliveries().orderBy('id').forUpdate();
  await trx('delivery_attempts').whereIn('delivery_id', deliveries()).delete();
  const deleted = await trx('deliveries').where({ webhook_id: id }).delete();
  await trx('former_webhook_secrets').where({ webhook_id: id }).delete();
  await trx('webhooks').where({ id }).delete();
  return deleted;
}

/** Webhooks that stay as they are until the transaction ends. */
export function lockWebhooks(trx: Transaction, ids: readonly string[]): Promise<WebhookRow[]> {
  return trx('webhooks').whereIn('id', ids).orderBy('id').forNoKeyUpdate();
}

/** Writes when webhooks were triggered last and since when they fail. */
export async function noteAttempts(
  trx: Transaction,
  webhooks: readonly Pick<WebhookRow, 'id' | 'last_triggered_at' | 'failing_since'>[],
): Promise<void> {
  // Every one of them may have been deleted while its endpoint was asked.
  if (webhooks.length === 0) return;
  const column = (name: 'last_triggered_at' | 'failing_since') =>
    byId(
      trx,
      webhooks.map((webhook) => [webhook.id, webhook[name]]),
    );
  await trx('webhooks')
    .whereIn(
      'id',
      webhooks.map(({ id }) => id),
    )
    .update({ last_triggered_at: column('last_triggered_at'), failing_since: column('failing_since') });
}
