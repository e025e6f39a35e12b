import { type Actor, recordAudit, SERVICE } from '../audit/audit.ts';
import type { Transaction } from '../connection/database.ts';
import { countUpTo } from '../connection/queries/counts.ts';
import { MAX_COUNTED } from '../work/work-lists.ts';
import { pendingOf, sweepBatch } from './webhook-sweeps.ts';

/* Lock order, against deadlocks: a webhook before its deliveries, and several rows of a kind in id order. */

/**
 * Pauses a webhook and holds its deliveries: one batch now, the remaining deliveries by the periodic sweep or when they come due. The
 * outcome of a
 * running attempt is still recorded.
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
  await sweepBatch(trx, { webhookId, isPaused: true }, now);
  return true;
}

/**
 * Ends a pause. The held deliveries are due at once, or once the periodic sweep reaches them, with a full retry schedule: failures from
 * before the endpoint was repaired do not count.
 * @returns how many deliveries were held, counted up to `MAX_COUNTED`; undefined when the webhook was not paused
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
  // The failures before are forgotten, which is no recovery yet.
  await trx('webhook_alerts')
    .where({ webhook_id: webhookId })
    .whereNull('over_at')
    .update({ resumed_at: now.toISOString() });
  await recordAudit(trx, by, 'webhook.resume', webhookId, now);
  const held = await countUpTo(trx, pendingOf(trx, webhookId).whereNull('due_at'), MAX_COUNTED);
  await sweepBatch(trx, { webhookId, isPaused: false }, now);
  return held;
}

/**
 * Finds the paused webhooks and locks them: a delivery held after the resume would never be sent. Active webhooks are not
 * locked.
 */
export async function lockPausedWebhooks(trx: Transaction, webhookIds: readonly string[]): Promise<Set<string>> {
  const paused = trx('webhooks').whereIn('id', webhookIds).whereNotNull('paused_at').orderBy('id');
  return new Set(await paused.forShare().pluck('id'));
}
