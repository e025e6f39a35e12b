import { isoAfter } from '../../core/time.ts';
import { isInForce } from '../../db/access/api-key-states.ts';
import { findKeyLife } from '../../db/access/api-keys.ts';
import { type Actor, recordAudit, SERVICE } from '../../db/audit/audit.ts';
import type { Transaction } from '../../db/connection/connect.ts';
import type { DeliveryRow } from '../../db/webhooks/deliveries.ts';
import { findEvent } from '../../db/webhooks/events.ts';
import { makeDeliveryDue, makeFailedDue } from '../../db/webhooks/redeliveries.ts';
import { lockWebhooks } from '../../db/webhooks/webhooks.ts';
import { CLOCK_DIFFERENCE_MS } from '../queue/claims.ts';
import { LEASE_SECONDS } from '../queue/queue.ts';
import type { Runtime } from '../runtime.ts';

const JOBS_A_BATCH = 500;

type Redelivering = Pick<Runtime, 'db' | 'queue' | 'now'>;

/** Why a delivery is not sent again. */
export type RedeliveryRefusal =
  /** Its payload has expired. */
  | 'expired'
  /** The API key is not in force. An expired key may be extended. */
  | 'key revoked'
  | 'key expired'
  /** The webhook's deliveries are held. */
  | 'paused'
  /** A process is sending it, or will within moments. */
  | 'under way';

/**
 * Makes a delivery due now, whether it was delivered, failed or is waiting, with the whole schedule of attempts ahead. Its id and
 * payload stay the same.
 */
export async function redeliver(
  runtime: Redelivering,
  delivery: DeliveryRow,
  by: Actor = SERVICE,
): Promise<RedeliveryRefusal | 'sent'> {
  const { db, now } = runtime;
  const outcome = await db.transaction(async (trx) => {
    const refusal = await webhookRefusal(trx, delivery.webhook_id, now());
    if (refusal) return refusal;
    const event = await findEvent(trx, delivery.event_id);
    if (event?.body == null) return 'expired' as const;
    const due = await makeDeliveryDue(trx, delivery.id, latestLease(now()), now());
    if (due.length === 0) return 'under way' as const;
    await recordAudit(trx, by, 'delivery.redeliver', delivery.id, now());
    return 'sent' as const;
  });
  if (outcome === 'sent') await sendDue(runtime, [delivery.id]);
  return outcome;
}

/** Makes all deliveries of a webhook due that failed since a moment. @returns how many they are */
export async function redeliverFailed(
  runtime: Redelivering,
  webhookId: string,
  since: Date,
  by: Actor = SERVICE,
): Promise<RedeliveryRefusal | number> {
  const { db, now } = runtime;
  const outcome = await db.transaction(async (trx) => {
    const refusal = await webhookRefusal(trx, webhookId, now());
    if (refusal) return refusal;
    const due = await makeFailedDue(trx, webhookId, since, now());
    if (due.length > 0) await recordAudit(trx, by, 'webhook.redeliver-failed', webhookId, now());
    return due;
  });
  if (typeof outcome === 'string') return outcome;
  await sendDue(runtime, outcome);
  return outcome.length;
}

/** The lock makes a concurrent pause wait, which then holds what is made due here. */
async function webhookRefusal(trx: Transaction, id: string, now: Date): Promise<RedeliveryRefusal | undefined> {
  const [webhook] = await lockWebhooks(trx, [id]);
  if (webhook?.paused_at) return 'paused';
  const key = await findKeyLife(trx, webhook?.api_key_id ?? '');
  if (key && isInForce(key, now)) return undefined;
  return key?.revoked_at === null ? 'key expired' : 'key revoked';
}

/** A lease ends at this moment at the latest, so a delivery that is due later is not being sent. One that is due earlier may be. */
export function latestLease(now: Date): string {
  return isoAfter(now, LEASE_SECONDS * 1000 + CLOCK_DIFFERENCE_MS);
}

/** Sends the jobs of deliveries that became due, in bulk if they are several. The sweep finds those that a crash loses. */
export async function sendDue({ db, queue }: Pick<Runtime, 'db' | 'queue'>, ids: readonly string[]): Promise<void> {
  const jobs = ids.map((id) => ({ id, bulk: ids.length > 1 }));
  for (let index = 0; index < jobs.length; index += JOBS_A_BATCH)
    await db.transaction((trx) => queue.send(trx, 'deliver-webhook', jobs.slice(index, index + JOBS_A_BATCH)));
}
