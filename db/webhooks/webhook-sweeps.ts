import { idsOf } from '../../core/ids.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { withoutSorting } from '../connection/queries/index-order.ts';
import { retried } from '../connection/transactions.ts';
import { hasStatus } from '../work/beside-id.ts';
import { dueAt } from '../work/work.ts';
import { lockWebhooks } from './webhooks.ts';

/*
 * Holding or releasing the deliveries of a webhook, of which there may be millions, in batches of bounded cost. A row of `webhook_sweeps`
 * says that batches are left. The state of the webhook decides what they do, so the last pause or resume wins.
 */

/** A paused webhook with deliveries still to hold, or a resumed one with deliveries still to release. */
export interface WebhookSweepRow {
  webhook_id: string;
  /** When its last batch ran, or failed. */
  swept_at: string;
}

const MAX_ROWS_PER_BATCH = 1_000;

/**
 * Holds or releases a batch of deliveries. The transaction holds the lock on the webhook, so no delivery is held meanwhile on the strength
 * of an earlier state. Released deliveries are due at once with a full retry schedule.
 * @returns whether batches may be left
 */
export async function sweepBatch(
  trx: Transaction,
  { webhookId, isPaused }: { webhookId: string; isPaused: boolean },
  now: Date,
): Promise<boolean> {
  const found = await nextBatch(trx, webhookId, isPaused);
  const due = (isDue: boolean) => `coalesce(due_at, '') ${isDue ? '<>' : '='} ''`;
  const unswept = trx('deliveries').whereIn('id', idsOf(found)).where(hasStatus('pending')).whereRaw(due(isPaused));
  const change = isPaused ? dueAt(null) : { ...dueAt(now), schedule_from: trx.raw('attempts') };
  if (found.length > 0)
    await trx('deliveries').whereIn('id', unswept.orderBy('id').forNoKeyUpdate().select('id')).update(change);
  const isLeft = found.length === MAX_ROWS_PER_BATCH;
  if (isLeft) {
    const row = { webhook_id: webhookId, swept_at: now.toISOString() };
    await trx('webhook_sweeps').insert(row).onConflict('webhook_id').merge();
  } else await endSweep(trx, webhookId);
  return isLeft;
}

/** In the order of the index `deliveries_pending`: any other plan reads all that wait, for each batch. */
function nextBatch(trx: Transaction, webhookId: string, isPaused: boolean): Promise<{ id: string }[]> {
  const pending = pendingOf(trx, webhookId).orderBy(['webhook_id', 'due_at']).limit(MAX_ROWS_PER_BATCH);
  if (!isPaused) pending.whereNull('due_at');
  // The comparison implies `due_at is not null`, which would let the planner choose the index of all due work.
  else pending.whereRaw("(webhook_id, due_at) >= (?, '')", [webhookId]);
  return withoutSorting(trx, () => pending.select('id'));
}

/** The literal condition of the partial index `deliveries_pending`: SQLite uses it for no other wording. */
export function pendingOf(db: Database, webhookId: string) {
  return db('deliveries').where({ webhook_id: webhookId }).whereRaw("status = 'pending'");
}

/** Runs the next batch of a webhook, if one is left. @returns whether batches may be left */
export async function sweepWebhook(trx: Transaction, webhookId: string, now: Date): Promise<boolean> {
  const [webhook] = await lockWebhooks(trx, [webhookId]);
  const sweep = await trx('webhook_sweeps').where({ webhook_id: webhookId }).first('webhook_id');
  if (webhook && sweep) return sweepBatch(trx, { webhookId, isPaused: webhook.paused_at !== null }, now);
  // The previous version deletes only the webhook.
  if (sweep) await endSweep(trx, webhookId);
  return false;
}

export async function endSweep(trx: Transaction, webhookId: string): Promise<void> {
  await trx('webhook_sweeps').where({ webhook_id: webhookId }).delete();
}

/** Puts a webhook whose batch failed behind the others. */
export async function postponeSweep(db: Database, webhookId: string, now: Date): Promise<void> {
  const of = db('webhook_sweeps').where({ webhook_id: webhookId });
  await retried(db, () => of.clone().update({ swept_at: now.toISOString() }));
}

/** The webhooks with batches left, longest-waiting first. */
export function listSweeps(db: Database, limit: number): Promise<string[]> {
  return db('webhook_sweeps').orderBy('swept_at').limit(limit).pluck('webhook_id');
}
