import { correlationId } from '../../core/correlation.ts';
import {
  type Cause,
  derivedDeliveryId,
  derivedId,
  derivedIdAt,
  ID_PREFIX,
  idsOf,
  momentOfCause,
} from '../../core/ids.ts';
import type { TenantOfKey } from '../../core/rules/tenant-of-key.ts';
import { sealText } from '../../core/secrets/secrets.ts';
import { HOUR_MS } from '../../core/time.ts';
import type { Transaction } from '../../db/connection/database.ts';
import { areEventsApart } from '../../db/connection/partitions/events-apart.ts';
import { insertDeliveries } from '../../db/webhooks/deliveries.ts';
import { insertEvent } from '../../db/webhooks/events.ts';
import { findWebhooksOfKey, hasBacklog, type WebhookRow } from '../../db/webhooks/webhooks.ts';
import type { components } from '../../generated/openapi.d.ts';
import type { Runtime } from '../runtime.ts';

type Schemas = components['schemas'];

/** The body of every event (product document 6.1). */
export type Event =
  | Schemas['EidSuccessEvent']
  | Schemas['KycVerificationDataEvent']
  | Schemas['ForensicAnalysisDataEvent'];

/** How much earlier than its event a body may expire. */
const MAX_LEAD_MS = HOUR_MS;

export type Emitting = Pick<Runtime, 'queue' | 'keys'>;

/**
 * Records an event and fans it out: one delivery for each webhook of the API key for which it happened, in the transaction that caused it
 * (a transactional outbox, delivered at least once). Start here to follow an event from its cause to its recorded outcome:
 *  1. `complete-kyc.ts` (or `complete-eid.ts`, `run-forensic.ts`) calls `emitEvent` in the transaction that stores its outcome.
 *  2. `emit-event.ts` serialises the body once: these very bytes are signed and sent by every attempt, and sealed until then. The event is
 *     stored by `db/webhooks/events.ts`, its deliveries, due now, by `db/webhooks/deliveries.ts`.
 *  3. `queue/queue.ts` sends the deliveries' ids, and after the commit brings them from `queue-postgres.ts` (or `queue-sqlite.ts`) to a worker.
 *  4. `queue/worker.ts` claims the deliveries and extends their leases by a heartbeat, with the statements in `db/work/work.ts`.
 *  5. `queue/lanes.ts` decides when each is sent, so that endpoints that hang or fail do not slow healthy endpoints. `bin/service/kinds.ts`
 *     has the policy.
 *  6. `deliver-webhook.ts` loads the delivery, then signs and POSTs the body, or ends or holds the delivery.
 *  7. `record-outcomes.ts` records the attempt: delivered; or due again after a back-off; or failed for good. It pauses webhooks whose
 *     endpoint is gone.
 *  8. `queue/promoter.ts` sends deliveries that have become due, that were too many of one party for 3, or that the queue or a dead worker has lost.
 * @param options `cause`: the row whose end this event is, of which there is one event; `isRepeated`: the API key was sent this content
 * before, and asked for it again
 */
export async function emitEvent(
  trx: Transaction,
  { queue, keys }: Emitting,
  { tenant_id, api_key_id }: TenantOfKey,
  event: Event,
  now: Date,
  { cause, isRepeated = false }: { cause: Cause; isRepeated?: boolean },
): Promise<void> {
  const targets = isRepeated ? await withoutBacklogs(trx, await findWebhooksOfKey(trx, api_key_id, now)) : undefined;
  if (targets?.length === 0) return;
  const createdAt = now.toISOString();
  const isApart = await areEventsApart(trx);
  const eventId = isApart ? derivedIdAt(ID_PREFIX.event, cause, event.event) : derivedId(cause, event.event);
  // Bodies that are stored apart expire by the time in their id, which is the cause's.
  const isRecent = now.getTime() - momentOfCause(cause).getTime() < MAX_LEAD_MS;
  const body = sealText(JSON.stringify(event), keys.encryption);
  const [webhooks] = await Promise.all([
    targets ?? findWebhooksOfKey(trx, api_key_id, now),
    insertEvent(
      trx,
      { id: eventId, tenant_id, api_key_id, event: event.event, body, created_at: createdAt },
      isApart && isRecent,
    ),
  ]);
  if (webhooks.length === 0) return;
  const deliveries = webhooks.map((webhook) => ({
    id: isApart
      ? derivedIdAt(ID_PREFIX.delivery, cause, `${event.event} ${webhook.id}`)
      : derivedDeliveryId(cause, `${event.event} ${webhook.id}`),
    event_id: eventId,
    webhook_id: webhook.id,
    api_key_id,
    status: 'pending' as const,
    attempts: 0,
    schedule_from: 0,
    due_at: createdAt,
    correlation_id: correlationId() ?? null,
    created_at: createdAt,
  }));
  await Promise.all([insertDeliveries(trx, deliveries), queue.send(trx, 'deliver-webhook', idsOf(deliveries))]);
}

/** How many undelivered deliveries of an API key its webhooks at one host may have before content is sent to them again. */
const MAX_UNDELIVERED = 100;

/**
 * Leaves out the webhooks at hosts that accept nothing and have many deliveries ahead. Nothing is lost: the content was sent to them before, and the
 * API key may ask again once they work.
 */
async function withoutBacklogs(trx: Transaction, webhooks: readonly WebhookRow[]): Promise<WebhookRow[]> {
  const isProven = ({ last_triggered_at, failing_since }: WebhookRow) =>
    last_triggered_at !== null && failing_since === null;
  const accepted = webhooks.filter(isProven);
  const byHost = Map.groupBy(
    webhooks.filter((webhook) => !isProven(webhook)),
    ({ url }) => URL.parse(url)?.host,
  );
  for (const ofHost of byHost.values())
    if (!(await hasBacklog(trx, idsOf(ofHost), MAX_UNDELIVERED))) accepted.push(...ofHost);
  return accepted;
}
