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

/** Webhooks that stay as they are until the transaction ends. */
export function lockWebhooks(trx: Transaction, ids: readonly string[]): Promise<WebhookRow[]> {
  return trx('webhooks').whereIn('id', ids).orderBy('id').forNoKeyUpdate();
}

/** Writes when webhooks were triggered last and since when they fail. */
export async function noteAttempts(
  trx: Transaction,
  webhooks: readonly Pick<WebhookRow, 'id' | 'last_triggered_at' | 'failing_since'>[],
): Promise<void> {
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
