import { retryDelay } from '../../core/rules/retry-delay.ts';
import { isoAfter } from '../../core/time.ts';
import type { Transaction } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { type AttemptRecord, type DeliveryToSend, recordAttempts } from '../../db/webhooks/deliveries.ts';
import { pauseWebhook } from '../../db/webhooks/paused-webhooks.ts';
import { lockWebhooks, noteAttempts, type WebhookRow } from '../../db/webhooks/webhooks.ts';
import type { OutboundFault } from '../../providers/outbound/outbound-error.ts';
import type { Runtime } from '../runtime.ts';

/** The outcome of an attempt. `error` is null for a success; only a 2xx is a success. */
export interface Outcome {
  startedAt: Date;
  durationMs: number;
  statusCode: number | null;
  error: string | null;
  /** Why there was no response, without the host: some hosts are secrets. `ours` is a local failure and says nothing about the endpoint. */
  fault: OutboundFault | null;
  excerpt: string | null;
  retryAfterMs: number | undefined;
}

export interface Attempt {
  delivery: DeliveryToSend;
  outcome: Outcome;
}

export type Recording = Pick<Runtime, 'db' | 'webhooks' | 'now' | 'log'>;

/**
 * Records the outcomes of attempts in one transaction. An attempt counts from here on, so a crash before spends none:
 * 1. lock the webhooks, in the order of their ids and before any delivery;
 * 2. update when they were last triggered and since when they have been failing, and find those to pause;
 * 3. record each attempt and the new state of its delivery: delivered, failed, held, or due again after a back-off;
 * 4. pause webhooks, which holds their deliveries.
 */
export async function recordOutcomes(runtime: Recording, attempts: readonly Attempt[]): Promise<void> {
  const { db, log } = runtime;
  const finishedAt = runtime.now();
  const pauses = await inTransaction(db, async (trx) => {
    const { webhooks, paused } = await judgeWebhooks(runtime, trx, attempts, finishedAt);
    const isHeld = (id: string) => webhooks.get(id)?.paused_at !== null || paused.has(id);
    const records = attempts.map((attempt) =>
      recordOf(runtime, attempt, { isHeld: isHeld(attempt.delivery.webhook_id), finishedAt }),
    );
    await recordAttempts(trx, records);
    for (const [id, reason] of paused) await pauseWebhook(trx, id, reason, finishedAt);
    return paused;
  });
  for (const [webhook, reason] of pauses)
    log.warn({ webhook, reason }, 'webhook paused: deliveries held until an operator resumes it');
}

/** The circuit breaker: finds the webhooks to pause automatically, because their endpoint answered 410 or nothing has succeeded for too long. */
async function judgeWebhooks(
  { webhooks: { pauseAfterMs, retryDelaysMs } }: Recording,
  trx: Transaction,
  attempts: readonly Attempt[],
  finishedAt: Date,
) {
  const rows = await lockWebhooks(trx, [...new Set(attempts.map(({ delivery }) => delivery.webhook_id))]);
  const sent = attempts.filter(({ outcome }) => outcome.fault !== 'ours');
  const byWebhook = Map.groupBy(sent, ({ delivery }) => delivery.webhook_id);
  const judged = rows.map((row) => withAttempts(row, byWebhook.get(row.id) ?? []));
  await noteAttempts(trx, judged);
  const paused = new Map<string, string>();
  for (const { id, paused_at, failing_since } of judged) {
    const ofIt = byWebhook.get(id) ?? [];
    const isGone = ofIt.some(({ outcome }) => outcome.statusCode === 410);
    // A webhook with few events may have failed once, days ago, so several failed attempts are required.
    const isTried = ofIt.some(({ delivery }) => failedAttempts(delivery) > retryDelaysMs.length / 2);
    const isLost = isTried && failing_since !== null && failing_since <= isoAfter(finishedAt, -pauseAfterMs);
    if (paused_at === null && isGone) paused.set(id, 'answered 410 (gone)');
    else if (paused_at === null && isLost) paused.set(id, `no success since ${failing_since}`);
  }
  return { webhooks: new Map(judged.map((row) => [row.id, row])), paused };
}

/** How many attempts of the current schedule failed, this one included. */
function failedAttempts({ attempts, schedule_from }: DeliveryToSend): number {
  return attempts + 1 - schedule_from;
}

/** A slow attempt must not move `last_triggered_at` back. */
function withAttempts(webhook: WebhookRow, attempts: readonly Attempt[]): WebhookRow {
  let { last_triggered_at, failing_since } = webhook;
  for (const { outcome } of attempts) {
    const startedAt = outcome.startedAt.toISOString();
    if (last_triggered_at === null || last_triggered_at < startedAt) last_triggered_at = startedAt;
    failing_since = outcome.error === null ? null : (failing_since ?? startedAt);
  }
  return { ...webhook, last_triggered_at, failing_since };
}

function recordOf(
  { webhooks: { retryDelaysMs } }: Recording,
  { delivery, outcome }: Attempt,
  { isHeld, finishedAt }: { isHeld: boolean; finishedAt: Date },
): AttemptRecord {
  const number = delivery.attempts + 1;
  const { startedAt, durationMs, statusCode, error, excerpt, retryAfterMs } = outcome;
  const attempt = {
    delivery_id: delivery.id,
    number,
    started_at: startedAt.toISOString(),
    duration_ms: Math.round(durationMs),
    status_code: statusCode,
    error,
    response_excerpt: excerpt || null,
  };
  const ended = { due_at: null, finished_at: finishedAt.toISOString() };
  if (error === null) return { ...attempt, status: 'delivered', ...ended };
  if (isHeld) return { ...attempt, status: 'pending', due_at: null, finished_at: null };
  const wait = retryDelay({ delaysMs: retryDelaysMs }, { failures: failedAttempts(delivery), retryAfterMs });
  if (wait === undefined) return { ...attempt, status: 'failed', ...ended };
  return { ...attempt, status: 'pending', due_at: isoAfter(finishedAt, wait), finished_at: null };
}
