import { correlationId } from '../../core/correlation.ts';
import { idsOf, newDeliveryId, newId } from '../../core/ids.ts';
import type { TenantOfKey } from '../../core/rules/tenant-of-key.ts';
import { sealText } from '../../core/secrets/secrets.ts';
import type { Transaction } from '../../db/connection/connect.ts';
import { insertDeliveries } from '../../db/webhooks/deliveries.ts';
import { insertEvent } from '../../db/webhooks/events.ts';
import { findWebhooksOfKey } from '../../db/webhooks/webhooks.ts';
import type { components } from '../../generated/openapi.d.ts';
import type { Runtime } from '../runtime.ts';

type Schemas = components['schemas'];

/** The body of every event (product document 6.1). */
export type Event =
  | Schemas['EidSuccessEvent']
  | Schemas['KycVerificationDataEvent']
  | Schemas['ForensicAnalysisDataEvent'];

export type Emitting = Pick<Runtime, 'queue' | 'keys'>;

/**
 * Records an event and a delivery for each webhook of the API key for which it happened, in the transaction that caused it. Start here to follow an
 * event to its endpoint, through twelve files:
 * 1. `complete-eid.ts`, `complete-kyc.ts` or `run-forensic.ts` calls `emitEvent` in the transaction that stores the outcome.
 * 2. `emitEvent` serialises the body once: these very bytes are signed and sent by every attempt, and sealed until then. It inserts the event
 *    (`db/webhooks/events.ts`), the deliveries (`db/webhooks/deliveries.ts`), and sends the ids of these (`jobs/queue/queue.ts`).
 * 3. After the commit the queue (`pump.ts` over `queue-postgres.ts` or `queue-sqlite.ts`) brings the ids to a worker
 *    (`jobs/queue/worker.ts`), which claims the deliveries by a lease in their rows and keeps it by a heartbeat (`db/work/work.ts`).
 * 4. Lanes (`jobs/queue/lanes.ts`) decide when it is sent, so that endpoints that hang or fail do not slow the others.
 * 5. `deliverer.ts` loads it; `attempt-delivery.ts` signs (`core/rules/signatures.ts`) and POSTs it (`providers/outbound`), or
 *    ends or holds it.
 * 6. `record-outcomes.ts` records the attempt: delivered; or due again after a back-off (`core/rules/retry-delay.ts`), back
 *    to 3; or failed for good. It pauses webhooks whose endpoint is gone.
 * 7. The promoter (`jobs/queue/promoter.ts`) hands over again what has become due, and what a queue or a worker that died has lost.
 */
export async function emitEvent(
  trx: Transaction,
  { queue, keys }: Emitting,
  { tenant_id, api_key_id }: TenantOfKey,
  event: Event,
  now: Date,
): Promise<void> {
  const createdAt = now.toISOString();
  const eventId = newId();
  const body = sealText(JSON.stringify(event), keys.encryption);
  const [webhooks] = await Promise.all([
    findWebhooksOfKey(trx, api_key_id, now),
    insertEvent(trx, { id: eventId, tenant_id, api_key_id, event: event.event, body, created_at: createdAt }),
  ]);
  if (webhooks.length === 0) return;
  const deliveries = webhooks.map((webhook) => ({
    id: newDeliveryId(),
    event_id: eventId,
    webhook_id: webhook.id,
    status: 'pending' as const,
    attempts: 0,
    schedule_from: 0,
    due_at: createdAt,
    correlation_id: correlationId() ?? null,
    created_at: createdAt,
  }));
  await Promise.all([insertDeliveries(trx, deliveries), queue.send(trx, 'deliver-webhook', idsOf(deliveries))]);
}
