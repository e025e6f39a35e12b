import { type Actor, recordAudit, SERVICE } from '../audit/audit.ts';
import type { Database, Transaction } from '../connection/connect.ts';

/*
 * Whoever locks a webhook and deliveries locks the webhook first, and several of a kind in the order of their ids. So nobody
 * waits for one who waits for them.
 */

/**
 * Pauses a webhook and holds its deliveries. One that is under way may be held too: its outcome is recorded all the same.
 * @param reason for operators, such as "answered 410 (gone)"
 * @returns false when it was paused already, or is none
 */
export async function pauseWebhook(
  trx: Transaction,
  webhookId: string,
  reason: string,
  now: Date,
  by: Actor = SERVICE,
): Promise<boolean> {
  const paused = await trx('webhooks')
    .where({ id: webhookId })
    .whereNull('paused_at')
    .update({ paused_at: now.toISOString(), pause_reason: reason });
  if (paused === 0) return false;
  await recordAudit(trx, by, 'webhook.pause', webhookId, now);
  const waiting = pendingOf(trx, webhookId).whereNotNull('due_at').orderBy('id').forNoKeyUpdate().select('id');
  await trx('deliveries').whereIn('id', waiting).update({ due_at: null });
  return true;
}

/**
 * Ends a pause. Its deliveries are due at once, each with the whole schedule of attempts before it: what the endpoint
 * failed before somebody mended it does not count against them.
 * @returns the ids of the deliveries that were held, undefined when the webhook was not paused
 */
export async function resumeWebhook(
  trx: Transaction,
  webhookId: string,
  now: Date,
  by: Actor = SERVICE,
): Promise<string[] | undefined> {
  const resumed = await trx('webhooks')
    .where({ id: webhookId })
    .whereNotNull('paused_at')
    .update({ paused_at: null, pause_reason: null, failing_since: null });
  if (resumed === 0) return undefined;
  await recordAudit(trx, by, 'webhook.resume', webhookId, now);
  const held = pendingOf(trx, webhookId).whereNull('due_at').orderBy('id').forNoKeyUpdate().select('id');
  const released = await trx('deliveries')
    .whereIn('id', held)
    .update({ due_at: now.toISOString(), schedule_from: trx.raw('attempts') })
    .returning('id');
  return released.map(({ id }) => id);
}

/**
 * Those of the webhooks that are paused, and stay so until the transaction ends: only then may a delivery be held, because
 * nobody would send it once the webhook is resumed. Active ones are not locked.
 */
export async function lockPausedWebhooks(trx: Transaction, webhookIds: readonly string[]): Promise<Set<string>> {
  const rows = await trx('webhooks')
    .whereIn('id', webhookIds)
    .whereNotNull('paused_at')
    .orderBy('id')
    .forShare()
    .select('id');
  return new Set(rows.map(({ id }) => id));
}

/** The words of the index `deliveries_pending`: SQLite uses it for no others. */
function pendingOf(db: Database, webhookId: string) {
  return db('deliveries').where({ webhook_id: webhookId }).whereRaw("status = 'pending'");
}
