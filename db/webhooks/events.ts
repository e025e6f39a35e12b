import { idsOf } from '../../core/ids.ts';
import type { Database, Transaction } from '../connection/connect.ts';
import type { DeliveryRow } from './deliveries.ts';

/** Every kind of event, as the contract names them. */
export const eventNames = ['EID_SUCCESS', 'KYC_VERIFICATION_DATA', 'FORENSIC_ANALYSIS_DATA'] as const;
export type EventName = (typeof eventNames)[number];

export interface EventRow {
  id: string;
  tenant_id: string;
  event: string;
  /** The JSON that was signed and sent; null once its retention has ended, which is before that of the row. */
  body: string | null;
  created_at: string;
}

/** @param body JSON, serialised once: these very bytes are signed and sent */
export async function insertEvent(trx: Transaction, event: Omit<EventRow, 'body'> & { body: string }): Promise<void> {
  await trx('events').insert(event);
}

export interface EventFilter {
  tenantId?: string | undefined;
  event?: string | undefined;
  since?: Date | undefined;
}

export type ListedEvent = Omit<EventRow, 'body'> & {
  /** How many webhooks it was sent to, and how many accepted it. */
  webhooks: number;
  delivered: number;
  is_expired: boolean;
};

/** Newest first. */
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
  const numbersOf = await countDeliveries(db, idsOf(events));
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
