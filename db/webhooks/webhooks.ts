import { idsOf, newId } from '../../core/ids.ts';
import type { components } from '../../generated/openapi.d.ts';
import { inForce } from '../access/api-key-states.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { countRows, countUpTo } from '../connection/queries/counts.ts';
import { withoutSorting } from '../connection/queries/index-order.ts';
import { retried } from '../connection/transactions.ts';
import { byId } from '../work/work.ts';

export interface WebhookRow {
  id: string;
  api_key_id: string;
  url: string;
  sealed_secret: string | null;
  status: components['schemas']['Webhook']['status'];
  last_triggered_at: string | null;
  /** Since when no attempt has succeeded; null while none has failed since the last success. */
  failing_since: string | null;
  /** Since when its deliveries are held; not part of the API. */
  paused_at: string | null;
  pause_reason: string | null;
  created_at: string;
}

/** A new webhook of an API key. @returns its id */
export async function insertWebhook(
  db: Database,
  { apiKeyId, url, sealedSecret }: { apiKeyId: string; url: string; sealedSecret: string | null },
  now: Date,
): Promise<string> {
  const id = newId();
  await retried(db, () =>
    db('webhooks').insert({
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
    }),
  );
  return id;
}

export function countWebhooks(db: Database, apiKeyId: string): Promise<number> {
  return countRows(db('webhooks').where({ api_key_id: apiKeyId }));
}

/**
 * Deletes a webhook with its deliveries, their attempts and its former secrets. The outcome of a running attempt is discarded. @returns how
 * many deliveries it had; undefined when there is no such webhook
 */
export async function deleteWebhook(trx: Transaction, id: string): Promise<number | undefined> {
  // Inserting a delivery locks its webhook, so none is added from here on.
  const webhook = await trx('webhooks').where({ id }).forUpdate().first('id');
  if (!webhook) return undefined;
  const deliveries = () => trx('deliveries').where({ webhook_id: id }).select('id');
  await deliveries().orderBy('id').forUpdate();
  await trx('delivery_attempts').whereIn('delivery_id', deliveries()).delete();
  const deleted = await trx('deliveries').where({ webhook_id: id }).delete();
  await trx('former_webhook_secrets').where({ webhook_id: id }).delete();
  await trx('webhook_sweeps').where({ webhook_id: id }).delete();
  await trx('webhooks').where({ id }).delete();
  return deleted;
}

const MAX_ROWS_PER_BATCH = 1_000;

/** Whether one transaction should not delete all deliveries of a webhook. */
export async function hasManyDeliveries(db: Database, webhookId: string): Promise<boolean> {
  return (
    (await countUpTo(db, db('deliveries').where({ webhook_id: webhookId }), MAX_ROWS_PER_BATCH + 1)) >
    MAX_ROWS_PER_BATCH
  );
}

/**
 * Deletes a batch of the deliveries of a webhook with their attempts, oldest first.
 * @param from skips older ones: Postgres would read their dead rows in each batch
 * @returns how many were deleted, and where the next batch begins; undefined behind the last one
 */
export async function deleteDeliveries(
  trx: Transaction,
  webhookId: string,
  from: string,
): Promise<{ deleted: number; next: string | undefined }> {
  const oldest = trx('deliveries')
    .where({ webhook_id: webhookId })
    .where('created_at', '>=', from)
    .orderBy(['webhook_id', 'created_at'])
    .limit(MAX_ROWS_PER_BATCH);
  const found = await withoutSorting(trx, () => oldest.select('id', 'created_at'));
  const ids = idsOf(found);
  await trx('deliveries').whereIn('id', ids).orderBy('id').forUpdate().select('id');
  await trx('delivery_attempts').whereIn('delivery_id', ids).delete();
  const deleted = await trx('deliveries').whereIn('id', ids).delete();
  return { deleted, next: found.length === MAX_ROWS_PER_BATCH ? found.at(-1)?.created_at : undefined };
}

/** Locks webhooks in id order. */
export function lockWebhooks(trx: Transaction, ids: readonly string[]): Promise<WebhookRow[]> {
  return trx('webhooks').whereIn('id', ids).orderBy('id').forNoKeyUpdate();
}

/** Records when webhooks were last triggered and since when they have been failing. */
export async function noteAttempts(
  trx: Transaction,
  webhooks: readonly Pick<WebhookRow, 'id' | 'last_triggered_at' | 'failing_since'>[],
): Promise<void> {
  // All of them may have been deleted during their attempts.
  if (webhooks.length === 0) return;
  const column = (name: 'last_triggered_at' | 'failing_since') =>
    byId(trx, webhooks, (webhook) => [webhook.id, webhook[name]]);
  await trx('webhooks')
    .whereIn('id', idsOf(webhooks))
    .update({ last_triggered_at: column('last_triggered_at'), failing_since: column('failing_since') });
}

/** Whether webhooks have this many undelivered deliveries together. Read by the index `deliveries_pending`. */
export async function hasBacklog(trx: Transaction, webhookIds: readonly string[], amount: number): Promise<boolean> {
  const pending = trx('deliveries').whereIn('webhook_id', webhookIds).whereRaw("status = 'pending'");
  return (await countUpTo(trx, pending, amount)) >= amount;
}

/** The webhooks that receive the events of an API key while it is in force. They are locked against deletion until the transaction ends. */
export function findWebhooksOfKey(db: Database, apiKeyId: string, now: Date): Promise<WebhookRow[]> {
  return db('webhooks')
    .join('api_keys', 'api_keys.id', 'webhooks.api_key_id')
    .where(inForce(now))
    .where('webhooks.api_key_id', apiKeyId)
    .forKeyShare('webhooks')
    .select('webhooks.*');
}
