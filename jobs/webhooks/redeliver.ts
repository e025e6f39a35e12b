import { isInForce } from '../../db/access/api-key-states.ts';
import { findKeyLife } from '../../db/access/api-keys.ts';
import { type Actor, recordAudit, SERVICE } from '../../db/audit/audit.ts';
import type { Transaction } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import type { DeliveryRow } from '../../db/webhooks/deliveries.ts';
import { findEvent } from '../../db/webhooks/events.ts';
import { type FailedPosition, FIRST_FAILED, makeDeliveryDue, makeFailedDue } from '../../db/webhooks/redeliveries.ts';
import { lockWebhooks, type WebhookRow } from '../../db/webhooks/webhooks.ts';
import type { Runtime } from '../runtime.ts';

type Redelivering = Pick<Runtime, 'db' | 'now'>;

/** Why a delivery is not sent again. */
export type RedeliveryRefusal =
  /** Its payload has expired. */
  | 'expired'
  /** The event happened for another API key than the webhook's, or for an unknown key. */
  | 'other key'
  /** The API key is not in force. An expired key may be extended. */
  | 'key revoked'
  | 'key expired'
  /** The webhook's deliveries are held. */
  | 'paused'
  /** A process is sending it, or will within moments. */
  | 'under way';

/** In words for operators. */
export const redeliveryRefusals: Record<RedeliveryRefusal, string> = {
  expired: 'its body is no longer kept, so it cannot be delivered again',
  'other key':
    'it is from before events belonged to one API key, and happened for another or an unknown one: that of the webhook does not receive it',
  'key revoked': 'the API key of the webhook was revoked; it gets nothing further',
  'key expired': 'the API key of the webhook has expired; give it another end first',
  paused: 'the webhook is paused; resume it first',
  'under way': 'it is being tried just now, or waits for its turn at the endpoint; nothing was changed',
};

/**
 * Makes a delivery due now, whether it was delivered, failed or is waiting, with the whole schedule of attempts ahead. Its id and
 * payload stay the same.
 */
export async function redeliver(
  { db, now }: Redelivering,
  delivery: DeliveryRow,
  by: Actor = SERVICE,
): Promise<RedeliveryRefusal | 'sent'> {
  return inTransaction(db, async (trx) => {
    const { refusal, webhook } = await webhookRefusal(trx, delivery.webhook_id, now());
    if (refusal) return refusal;
    const event = await findEvent(trx, delivery.event_id);
    if (event?.body == null) return 'expired' as const;
    if (event.api_key_id !== webhook?.api_key_id) return 'other key' as const;
    const due = await makeDeliveryDue(trx, delivery.id, now());
    if (due === 0) return 'under way' as const;
    await recordAudit(trx, by, 'delivery.redeliver', delivery.id, now());
    return 'sent' as const;
  });
}

/**
 * Makes due all deliveries of a webhook that failed since a given time, of which there may be millions, in transactions of bounded size:
 * the outcomes of other deliveries, also those to other endpoints, wait for the lock on the webhook. Interrupted, it is repeated.
 * @returns how many there are
 */
export async function redeliverFailed(
  { db, now }: Redelivering,
  webhookId: string,
  since: Date,
  by: Actor = SERVICE,
): Promise<RedeliveryRefusal | number> {
  let sum = 0;
  for (let after: FailedPosition | undefined = FIRST_FAILED; after; ) {
    const span: { since: Date; after: FailedPosition } = { since, after };
    const isFirst = sum === 0;
    const batch = await inTransaction(db, async (trx) => {
      const { refusal } = await webhookRefusal(trx, webhookId, now());
      if (refusal) return refusal;
      const done = await makeFailedDue(trx, webhookId, span, now());
      if (isFirst && done.due > 0) await recordAudit(trx, by, 'webhook.redeliver-failed', webhookId, now());
      return done;
    });
    // Paused or revoked meanwhile.
    if (typeof batch === 'string') return isFirst ? batch : sum;
    sum += batch.due;
    after = batch.next;
  }
  return sum;
}

/** The lock makes a concurrent pause wait, which then holds the deliveries made due here. */
async function webhookRefusal(
  trx: Transaction,
  id: string,
  now: Date,
): Promise<{ refusal?: RedeliveryRefusal; webhook: WebhookRow | undefined }> {
  const [webhook] = await lockWebhooks(trx, [id]);
  if (webhook?.paused_at) return { refusal: 'paused', webhook };
  const key = await findKeyLife(trx, webhook?.api_key_id ?? '');
  if (key && isInForce(key, now)) return { webhook };
  return { refusal: key?.revoked_at === null ? 'key expired' : 'key revoked', webhook };
}
