import { newDeliveryId } from '../../core/ids.ts';
import { ifOpened, sealText, unsealText } from '../../core/secrets/secrets.ts';
import { type Actor, recordAudit, SERVICE } from '../../db/audit/audit.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { pauseWebhook, resumeWebhook } from '../../db/webhooks/paused-webhooks.ts';
import { findFormerSecrets, replaceSecret } from '../../db/webhooks/webhook-secrets.ts';
import {
  deleteDeliveries,
  deleteWebhook,
  hasManyDeliveries,
  lockWebhooks,
  type WebhookRow,
} from '../../db/webhooks/webhooks.ts';
import type { Runtime } from '../runtime.ts';
import { signedPost } from './deliver-webhook.ts';

/**
 * @returns false when it was already paused
 */
export function pause(
  { db, now }: Pick<Runtime, 'db' | 'now'>,
  webhookId: string,
  reason: string,
  by: Actor = SERVICE,
): Promise<boolean> {
  return inTransaction(db, (trx) => pauseWebhook(trx, webhookId, reason, now(), by));
}

/** Ends a pause and sends the held deliveries. @returns how many there are, up to a limit; undefined when the webhook was not paused */
export function resume(
  { db, now }: Pick<Runtime, 'db' | 'now'>,
  webhookId: string,
  by: Actor = SERVICE,
): Promise<number | undefined> {
  return inTransaction(db, (trx) => resumeWebhook(trx, webhookId, now(), by));
}

/**
 * Deletes a webhook with its deliveries, of which there may be millions, in transactions of bounded size: events of its API key and the
 * outcomes of other deliveries wait for the lock on the webhook. A webhook with many deliveries is paused first; after an interruption it
 * stays paused until the deletion is repeated.
 * @returns how many deliveries it had; undefined when there is no such webhook
 */
export async function remove(
  { db, now }: Pick<Runtime, 'db' | 'now'>,
  webhookId: string,
  by: Actor = SERVICE,
): Promise<number | undefined> {
  let sum = 0;
  if (await hasManyDeliveries(db, webhookId)) {
    await pause({ db, now }, webhookId, 'is being deleted', by);
    for (let from: string | undefined = ''; from !== undefined; ) {
      const start: string = from;
      const batch = await inTransaction(db, (trx) => deleteDeliveries(trx, webhookId, start));
      sum += batch.deleted;
      from = batch.next;
    }
  }
  return inTransaction(db, async (trx) => {
    const others = await deleteWebhook(trx, webhookId);
    if (others === undefined) return undefined;
    await recordAudit(trx, by, 'webhook.delete', webhookId, now());
    return sum + others;
  });
}

/**
 * Replaces the secret of a webhook, or gives it its first.
 * @param overlapMs how long the former secret signs beside it; 0 ends all former secrets at once
 * @returns until when a former secret signs, if one does; undefined when the webhook already has this secret
 * @throws TooManySecrets
 */
export function rotateSecret(
  { db, keys, now }: Pick<Runtime, 'db' | 'keys' | 'now'>,
  webhookId: string,
  { secret, overlapMs }: { secret: string; overlapMs: number },
  by: Actor = SERVICE,
): Promise<{ formerUntil: string | null } | undefined> {
  return inTransaction(db, async (trx) => {
    // Rotations take turns: the second must keep the secret of the first.
    const [webhook] = await lockWebhooks(trx, [webhookId]);
    if (!webhook) throw new Error('The webhook vanished.');
    const { sealed_secret } = webhook;
    // One that no key opens can be replaced.
    if (sealed_secret !== null && ifOpened(() => unsealText(sealed_secret, keys.encryption)) === secret)
      return undefined;
    const moment = now();
    const overlaps = sealed_secret !== null && overlapMs > 0;
    const formerUntil = overlaps ? new Date(moment.getTime() + overlapMs) : undefined;
    await replaceSecret(trx, webhook, sealText(secret, keys.encryption), { now: moment, formerUntil });
    await recordAudit(trx, by, 'webhook.rotate-secret', webhookId, moment);
    // An earlier secret may sign longer than the secret replaced now.
    const [latest] = await findFormerSecrets(trx, webhookId, moment);
    return { formerUntil: latest?.expires_at ?? null };
  });
}

/** The outcome of a test. `error` is null for a success. */
export interface TestOutcome {
  messageId: string;
  durationMs: number;
  statusCode: number | null;
  error: string | null;
  excerpt: string | null;
}

/** Sends a body to a webhook like a delivery, once and without a retry, and stores nothing. @throws Overloaded */
export async function sendTest(
  runtime: Pick<Runtime, 'db' | 'providers' | 'keys' | 'now'>,
  { id, url, sealed_secret }: WebhookRow,
  body: string,
): Promise<TestOutcome> {
  const messageId = newDeliveryId().replace('_', '_test_');
  const startedAt = runtime.now();
  const formers = await findFormerSecrets(runtime.db, id, startedAt);
  const sealed_former_secrets = formers.map((former) => former.sealed_secret);
  const began = performance.now();
  const message = { id: messageId, url, sealed_secret, sealed_former_secrets };
  const { outbound } = runtime.providers;
  const { statusCode, error, excerpt } = await signedPost(runtime, outbound.post, message, { startedAt, body });
  return { messageId, durationMs: Math.round(performance.now() - began), statusCode, error, excerpt };
}
