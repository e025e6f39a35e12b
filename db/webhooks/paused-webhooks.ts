import { type Actor, recordAudit, SERVICE } from '../audit/audit.ts';
import type { Database, Transaction } from '../connection/connect.ts';
import { dueAt } from '../work/work.ts';

/*
 * Lock order, against deadlocks: a webhook before its deliveries, and several of a kind in the order of their ids.
 */

/**
 * Pauses a webhook and holds its deliveries. The outcome of a running attempt is still recorded.
 * @param reason for operators, such as "answered 410 (gone)"
 * @returns false when it is paused already or does not exist
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
  await trx('deliveries').whereIn('id', waiting).update(dueAt(null));
  return true;
}

/**
 * Ends a pause. The held deliveries are due at once, each with the whole schedule of attempts ahead: failures from before the
 * endpoint was repaired do not count.
 * @returns how many deliveries were held, undefined when the webhook was not paused
 */
export async function resumeWebhook(
  trx: Transaction,
  webhookId: string,
  now: Date,
  by: Actor = SERVICE,
): Promise<number | undefined> {
  const resumed = await trx('webhooks')
    .where({ id: webhookId })
    .whereNotNull('paused_at')
    .update({ paused_at: null, pause_reason: null, failing_since: null });
  if (resumed === 0) return undefined;
  await recordAudit(trx, by, 'webhook.resume', webhookId, now);
  const held = pendingOf(trx, webhookId).whereNull('due_at').orderBy('id').forNoKeyUpdate().select('id');
  const released = await trx('deliveries')
    .whereIn('id', held)
    .update({ ...dueAt(now), schedule_from: trx.raw('attempts') });
  return released;
}

/**
 * Finds the paused webhooks and locks them: a delivery held after the resume would never be sent. Active webhooks are not
 * locked.
 */
export async function lockPausedWebhooks(trx: Transaction, webhookIds: readonly string[]): Promise<Set<string>> {
  const paused = trx('webhooks').whereIn('id', webhookIds).whereNotNull('paused_at').orderBy('id');
  return new Set(await paused.forShare().pluck('id'));
}

/** The literal condition of the partial index `deliveries_pending`: SQLite uses it for no other wording. */
function pendingOf(db: Database, webhookId: string) {
  return db('deliveries').where({ webhook_id: webhookId }).whereRaw("status = 'pending'");
}
