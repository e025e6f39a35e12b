import { newDeliveryId, newId } from '../../core/ids.ts';
import type { Transaction } from '../../db/connection/connect.ts';
import { insertDeliveries } from '../../db/webhooks/deliveries.ts';
import { findWebhooksOfTenant } from '../../db/webhooks/webhooks.ts';
import type { components } from '../../generated/openapi.d.ts';
import type { Queue } from '../queue/queue.ts';

type Schemas = components['schemas'];

/** The body of every event (product document 6.1). */
export type Event =
  | Schemas['EidSuccessEvent']
  | Schemas['KycVerificationDataEvent']
  | Schemas['ForensicAnalysisDataEvent'];

/**
 * Records an event and one delivery for each webhook that may hear of the tenant, in the transaction that made it
 * happen. The body is serialised here, once: these very bytes are signed and sent at every attempt.
 */
export async function emitEvent(
  trx: Transaction,
  queue: Queue,
  tenantId: string,
  event: Event,
  now: Date,
): Promise<void> {
  const createdAt = now.toISOString();
  const eventId = newId();
  const body = JSON.stringify(event);
  await trx('events').insert({ id: eventId, tenant_id: tenantId, event: event.event, body, created_at: createdAt });
  const webhooks = await findWebhooksOfTenant(trx, tenantId, now);
  if (webhooks.length === 0) return;
  const deliveries = webhooks.map((webhook) => ({
    id: newDeliveryId(),
    event_id: eventId,
    webhook_id: webhook.id,
    status: 'pending' as const,
    attempts: 0,
    schedule_from: 0,
    due_at: createdAt,
    created_at: createdAt,
  }));
  await insertDeliveries(trx, deliveries);
  const ids = deliveries.map(({ id }) => id);
  await queue.send(trx, 'deliver-webhook', ids);
}
