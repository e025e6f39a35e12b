import { idsOf } from '../../core/ids.ts';
import type { TenantOfKey } from '../../core/rules/tenant-of-key.ts';
import { type Database, dialectOf, type Transaction } from '../connection/database.ts';
import { prepared } from '../connection/prepared.ts';
import { countGroups } from '../connection/queries/counts.ts';
import { unindexed } from '../connection/queries/index-order.ts';
import { inScope, type Scope } from '../connection/queries/scope.ts';
import type { DeliveryRow } from './deliveries.ts';
import { BODY } from './event-bodies.ts';

/** Every kind of event, as the contract names them. */
export const eventNames = ['EID_SUCCESS', 'KYC_VERIFICATION_DATA', 'FORENSIC_ANALYSIS_DATA'] as const;
export type EventName = (typeof eventNames)[number];

export interface EventRow {
  id: string;
  tenant_id: string;
  /** The API key for which it happened. Null for an older event whose key is unknown: no key sees it. */
  api_key_id: string | null;
  event: string;
  /** Sealed; null when it is in `event_bodies`, or once its retention has ended, which is before the row's. */
  body: string | null;
  created_at: string;
}

/** @param body sealed JSON, serialised once: these very bytes are signed and sent */
export async function insertEvent(
  trx: Transaction,
  event: EventRow & TenantOfKey & { body: string },
  isApart = false,
): Promise<void> {
  if (isApart) await insertEventApart(trx, event);
  else await trx('events').insert(event);
}

const BODY_ROW = 'insert into event_bodies (id, body) values (?, ?)';
const RECORD_ROW = 'insert into events (id, tenant_id, api_key_id, event, created_at) values (?, ?, ?, ?, ?)';
const insertBody = prepared(BODY_ROW);
const insertRecord = prepared(RECORD_ROW);
const insertBoth = prepared(`with apart as (${BODY_ROW}) ${RECORD_ROW}`);

async function insertEventApart(trx: Transaction, event: EventRow & { body: string }): Promise<void> {
  const { id, body, tenant_id, api_key_id, event: name, created_at } = event;
  const record = [id, tenant_id, api_key_id, name, created_at] as const;
  if (dialectOf(trx) === 'postgres') await insertBoth(trx, id, body, ...record);
  else await Promise.all([insertBody(trx, id, body), insertRecord(trx, ...record)]);
}

export interface EventFilter {
  tenantId?: string | undefined;
  event?: string | undefined;
  since?: Date | undefined;
}

export type ListedEvent = Omit<EventRow, 'body' | 'api_key_id'> & {
  /** How many webhooks it was sent to, and how many accepted it. */
  webhooks: number;
  delivered: number;
  is_expired: boolean;
};

/** Newest first. */
export async function listEvents(
  db: Database,
  scope: Scope,
  { tenantId, event, since }: EventFilter,
  limit: number,
): Promise<ListedEvent[]> {
  const chosen = db('events').where(inScope(scope, 'api_key_id'));
  if (tenantId !== undefined) chosen.where({ tenant_id: tenantId });
  if (event !== undefined) chosen.where({ event });
  if (since) chosen.where('created_at', '>=', since.toISOString());
  const events: (Omit<EventRow, 'body' | 'api_key_id'> & { is_expired: boolean | number })[] = await chosen
    .orderBy(tenantId === undefined ? 'created_at' : unindexed(db, 'created_at'), 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .select('id', 'event', 'tenant_id', 'created_at', db.raw(`${BODY} is null as is_expired`));
  const count = await countGroups(db('deliveries').whereIn('event_id', idsOf(events)), 'event_id', 'status');
  return events.map(({ is_expired, ...row }) => ({
    ...row,
    webhooks: count(row.id),
    delivered: count(row.id, 'delivered'),
    is_expired: Boolean(is_expired),
  }));
}

export function findEvent(db: Database, id: string): Promise<EventRow | undefined> {
  return db('events')
    .where('events.id', id)
    .first('id', 'tenant_id', 'api_key_id', 'event', 'created_at', db.raw(`${BODY} as body`));
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
