import { isInForce } from '../../db/access/api-key-states.ts';
import { findKeyLife } from '../../db/access/api-keys.ts';
import { type Actor, recordAudit, SERVICE } from '../../db/audit/audit.ts';
import type { Transaction } from '../../db/connection/connect.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import type { DeliveryRow } from '../../db/webhooks/deliveries.ts';
import { findEvent } from '../../db/webhooks/events.ts';
import { makeDeliveryDue, makeFailedDue } from '../../db/webhooks/redeliveries.ts';
import { lockWebhooks, type WebhookRow } from '../../db/webhooks/webhooks.ts';
import type { Runtime } from '../runtime.ts';

type Redelivering = Pick<Runtime, 'db' | 'now'>;

/** Why a delivery is not sent again. */
export type RedeliveryRefusal =
  /** Its payload has expired. */
  | 'expired'
  /** It happened for another API key than that of the webhook, or for one that could not be told. */
  | 'other key'
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

/** Makes all deliveries of a webhook due that failed since a moment. @returns how many they are */
export async function redeliverFailed(
  { db, now }: Redelivering,
  webhookId: string,
  since: Date,
  by: Actor = SERVICE,
): Promise<RedeliveryRefusal | number> {
  return inTransaction(db, async (trx) => {
    const { refusal } = await webhookRefusal(trx, webhookId, now());
    if (refusal) return refusal;
    const due = await makeFailedDue(trx, webhookId, since, now());
    if (due > 0) await recordAudit(trx, by, 'webhook.redeliver-failed', webhookId, now());
    return due;
  });
}

/** The lock makes a concurrent pause wait, which then holds what is made due here. */
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
