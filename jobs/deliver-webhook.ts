import { deliveryRetryDelay } from '../core/retry-schedule.ts';
import { unsealText } from '../core/secrets.ts';
import { signatureHeaders } from '../core/signatures.ts';
import { findApiKey } from '../db/api-keys.ts';
import type { DeliveryRow, WebhookRow } from '../db/rows.ts';
import { OutboundError } from '../providers/outbound-http.ts';
import type { Runtime } from './runtime.ts';

interface Outcome {
  statusCode: number | null;
  error: string | null;
}

/**
 * Sends one delivery and, if it fails, plans its next attempt. The id stays the same over all attempts and the time is
 * that of the attempt (Standard Webhooks). An attempt counts when its outcome is recorded, so a crash spends none.
 */
export async function deliverWebhook(runtime: Runtime, id: string): Promise<void> {
  const { db, providers, keys, now, log } = runtime;
  const delivery = await db('deliveries').where({ id }).first();
  const event = await db('events')
    .where({ id: delivery?.event_id ?? '' })
    .first();
  const webhook = await db('webhooks')
    .where({ id: delivery?.webhook_id ?? '' })
    .first();
  if (!delivery || !event || !webhook) throw new Error(`Delivery ${id} is incomplete.`);
  if (!(await findApiKey(db, webhook.api_key_id))) return giveUp(runtime, delivery);
  if (providers.outbound.isBusy(webhook.url)) return putOff(runtime, delivery);
  const sentAt = now();
  const secret = webhook.sealed_secret === null ? undefined : unsealText(webhook.sealed_secret, keys.encryption);
  const signature = secret === undefined ? {} : signatureHeaders(id, sentAt, event.body, secret);
  const outcome = await attempt(runtime, webhook.url, signature, event.body);
  await record(runtime, delivery, webhook, outcome, sentAt);
  log.info({ delivery: id, event: event.event, attempt: delivery.attempts + 1, ...outcome }, 'delivery attempted');
}

/** A revoked key's webhooks hear of nothing more, of what waits for its next attempt neither. */
async function giveUp({ db, now }: Runtime, { id }: DeliveryRow): Promise<void> {
  const end = { status: 'failed' as const, due_at: null, finished_at: now().toISOString() };
  await db('deliveries')
    .where({ id, status: 'pending' })
    .update({ ...end, last_error: 'the API key was revoked' });
}

const PUT_OFF_MS = 2_000;

/** An endpoint that answers slowly must not take the places of the others. No attempt is spent. */
async function putOff({ db, queue, now }: Runtime, { id, attempts }: DeliveryRow): Promise<void> {
  const next = new Date(now().getTime() + PUT_OFF_MS * (1 + 2 * Math.random()));
  await db.transaction(async (trx) => {
    const moved = await trx('deliveries')
      .where({ id, status: 'pending', attempts })
      .update({ due_at: next.toISOString() });
    if (moved === 1) await queue.send(trx, 'deliver-webhook', id, { startAfter: next });
  });
}

async function attempt(
  { providers }: Runtime,
  url: string,
  signature: Record<string, string>,
  body: string,
): Promise<Outcome> {
  const headers = { 'content-type': 'application/json', 'user-agent': 'tenant-screening-webhooks/1', ...signature };
  try {
    const { statusCode } = await providers.outbound.post(url, headers, body);
    const accepted = statusCode >= 200 && statusCode < 300;
    return { statusCode, error: accepted ? null : `answered ${statusCode}` };
  } catch (error) {
    if (error instanceof OutboundError) return { statusCode: null, error: error.message };
    throw error;
  }
}

async function record(
  { db, queue, now }: Runtime,
  delivery: DeliveryRow,
  webhook: WebhookRow,
  { statusCode, error }: Outcome,
  sentAt: Date,
): Promise<void> {
  const attempts = delivery.attempts + 1;
  const retryDelay = error === null ? undefined : deliveryRetryDelay(attempts);
  const finishedAt = now();
  const next = retryDelay === undefined ? undefined : new Date(finishedAt.getTime() + retryDelay);
  await db.transaction(async (trx) => {
    const recorded = await trx('deliveries')
      .where({ id: delivery.id, status: 'pending', attempts: delivery.attempts })
      .update({
        attempts,
        last_status_code: statusCode,
        last_error: error,
        status: error === null ? 'delivered' : next ? 'pending' : 'failed',
        due_at: next?.toISOString() ?? null,
        finished_at: next ? null : finishedAt.toISOString(),
      });
    if (recorded === 0) return;
    // A slow attempt must not move the moment back.
    await trx('webhooks')
      .where({ id: webhook.id })
      .where((last) => last.whereNull('last_triggered_at').orWhere('last_triggered_at', '<', sentAt.toISOString()))
      .update({ last_triggered_at: sentAt.toISOString() });
    if (next) await queue.send(trx, 'deliver-webhook', delivery.id, { startAfter: next });
  });
}
