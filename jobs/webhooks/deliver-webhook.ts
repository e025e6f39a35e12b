import { retryAfterMs } from '../../core/rules/retry-schedule.ts';
import { signatureHeaders } from '../../core/rules/signatures.ts';
import { unsealText } from '../../core/secrets/secrets.ts';
import { whyNotInForce } from '../../db/access/api-key-states.ts';
import { type DeliveryToSend, giveUpDelivery, holdDelivery } from '../../db/webhooks/deliveries.ts';
import { PAYLOAD_EXPIRED } from '../../db/webhooks/old-events.ts';
import { lockPausedWebhooks } from '../../db/webhooks/paused-webhooks.ts';
import { OutboundError } from '../../providers/outbound/outbound-error.ts';
import type { Runtime } from '../runtime.ts';
import type { Outcome } from './record-outcomes.ts';

/**
 * Makes one attempt: the id stays the same over all of them and the time is that of the attempt (Standard Webhooks).
 * @returns undefined when there is nothing to send: the delivery was ended or held instead
 */
export async function attemptDelivery(runtime: Runtime, delivery: DeliveryToSend): Promise<Outcome | undefined> {
  const { body, paused_at } = delivery;
  const keyEnd = whyNotInForce(delivery, runtime.now());
  if (keyEnd !== undefined) return giveUp(runtime, delivery, keyEnd);
  if (body === null) return giveUp(runtime, delivery, PAYLOAD_EXPIRED);
  if (paused_at !== null) return hold(runtime, delivery);
  const startedAt = runtime.now();
  const began = performance.now();
  const answer = await post(runtime, delivery, { startedAt, body });
  return { startedAt, durationMs: performance.now() - began, ...answer };
}

/** The webhooks of a key that ended hear of nothing more, of what waits for its next attempt neither. */
async function giveUp({ db, now }: Runtime, { id }: DeliveryToSend, reason: string): Promise<undefined> {
  await giveUpDelivery(db, id, { reason, now: now() });
}

/** Only while the webhook cannot be resumed: nobody would send again what is held by an active one. */
async function hold({ db }: Runtime, { id, webhook_id }: DeliveryToSend): Promise<undefined> {
  await db.transaction(async (trx) => {
    const paused = await lockPausedWebhooks(trx, [webhook_id]);
    if (paused.has(webhook_id)) await holdDelivery(trx, id);
  });
}

/** POSTs a body as it is, signed with the secrets of its webhook if it has any. */
export async function post(
  { providers, keys, now }: Runtime,
  {
    id,
    url,
    sealed_secret,
    sealed_former_secrets,
  }: Pick<DeliveryToSend, 'id' | 'url' | 'sealed_secret' | 'sealed_former_secrets'>,
  { startedAt, body }: { startedAt: Date; body: string },
): Promise<Omit<Outcome, 'startedAt' | 'durationMs'>> {
  const secrets = [sealed_secret, ...sealed_former_secrets].flatMap((sealed) =>
    sealed === null ? [] : [unsealText(sealed, keys.encryption)],
  );
  const signature = secrets.length > 0 ? signatureHeaders(id, startedAt, body, secrets) : {};
  const headers = { 'content-type': 'application/json', 'user-agent': 'tenant-screening-webhooks/1', ...signature };
  try {
    const { statusCode, excerpt, retryAfter } = await providers.outbound.post(url, headers, body);
    const isSuccess = statusCode >= 200 && statusCode < 300;
    return {
      statusCode,
      error: isSuccess ? null : `answered ${statusCode}`,
      fault: null,
      excerpt,
      retryAfterMs: retryAfterMs(retryAfter, now()),
    };
  } catch (error) {
    // A trouble of our own is no attempt of theirs.
    if (!(error instanceof OutboundError) || error.kind === 'ours') throw error;
    return { statusCode: null, error: error.message, fault: error.kind, excerpt: null, retryAfterMs: undefined };
  }
}
