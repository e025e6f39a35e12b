import type { Database } from '../connection/connect.ts';
import type { DeliveryRow } from './deliveries.ts';
import type { EventRow } from './events.ts';

/** Which events, or all of them. */
export interface EventFilter {
  tenantId?: string | undefined;
  event?: string | undefined;
  since?: Date | undefined;
}

/** An event without what it told. */
export type ListedEvent = Omit<EventRow, 'body'> & {
  /** How many webhooks it was for, and how many of them took it. */
  webhooks: number;
  delivered: number;
  is_expired: boolean;
};

/** The newest first. */
export async function listEvents(
  db: Database,
  { tenantId, event, since }: EventFilter,
  limit: number,
): Promise<ListedEvent[]> {
  const chosen = db('events');
  if (tenantId !== undefined) chosen.where({ tenant_id: tenantId });
  if (event !== undefined) chosen.where({ event });
  if (since) chosen.where('created_at', '>=', since.toISOString());
  const events: (Omit<EventRow, 'body'> & { is_expired: boolean | number })[] = await chosen
    .orderBy(['created_at', 'id'].map((column) => ({ column, order: 'desc' })))
    .limit(limit)
    .select('id', 'event', 'tenant_id', 'created_at', db.raw('body is null as is_expired'));
  const numbersOf = await countDeliveries(
    db,
    events.map(({ id }) => id),
  );
  return events.map((row) => ({ ...row, ...numbersOf(row.id), is_expired: Boolean(row.is_expired) }));
}

async function countDeliveries(db: Database, eventIds: readonly string[]) {
  const rows: { event_id: string; status: string; number: number | string }[] = await db('deliveries')
    .whereIn('event_id', eventIds)
    .groupBy('event_id', 'status')
    .select('event_id', 'status', db.raw('count(*) as number'));
  const byEvent = Map.groupBy(rows, ({ event_id }) => event_id);
  return (id: string) => {
    const counts = byEvent.get(id) ?? [];
    return {
      webhooks: counts.reduce((sum, { number }) => sum + Number(number), 0),
      delivered: Number(counts.find(({ status }) => status === 'delivered')?.number ?? 0),
    };
  };
}

export function findEvent(db: Database, id: string): Promise<EventRow | undefined> {
  return db('events').where({ id }).first();
}

/** What became of an event at each webhook. */
export function deliveriesOfEvent(
  db: Database,
  eventId: string,
): Promise<(DeliveryRow & { url: string; client_id: string })[]> {
  return db('deliveries')
    .join('webhooks', 'webhooks.id', 'deliveries.webhook_id')
    .join('api_keys', 'api_keys.id', 'webhooks.api_key_id')
    .where('deliveries.event_id', eventId)
    .orderBy('deliveries.id')
    .select('deliveries.*', 'webhooks.url', 'api_keys.client_id');
}
