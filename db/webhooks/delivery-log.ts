import type { Knex } from 'knex';
import { idsOf } from '../../core/ids.ts';
import { type Database, dialectOf } from '../connection/database.ts';
import { inIndexOrder } from '../connection/queries/index-order.ts';
import { inScope, type Scope } from '../connection/queries/scope.ts';
import { type DeliveryState, inState, type ListedDelivery, ofWebhook } from './delivery-lists.ts';

export interface LogFilter {
  state?: DeliveryState | undefined;
  webhookId?: string | undefined;
  landlordId?: string | undefined;
  event?: string | undefined;
}

/** Where a page ends: its last row in the order of the log. */
export interface LogPosition {
  createdAt: string;
  id: string;
}

export interface LogPage {
  rows: ListedDelivery[];
  /** Where the next page begins; undefined when there is none. */
  next: LogPosition | undefined;
}

/** How many rows one page examines: no index covers every combination of filters, and the next page continues where this page stopped. */
const MAX_EXAMINED = 300;
const MAX_EXAMINED_PER_WEBHOOK = 50;
const MAX_EXAMINED_INDEXED = 50;
/** The newest of a landlord's webhooks. */
export const MAX_WEBHOOKS = 50;

const ID_DESC = { column: 'id', order: 'desc' } as const;

type Candidate = LogPosition & { event_id: string; status: string; due_at: string | null };

/** A page of the log of all deliveries, newest first. The cost is bounded for any number of deliveries and any filters. */
export async function readDeliveryLog(
  db: Database,
  scope: Scope,
  filter: LogFilter,
  before: LogPosition | undefined,
  limit: number,
): Promise<LogPage> {
  const max = maxExamined(scope, filter, limit);
  const candidates = await candidatesOf(db, scope, filter, before, max);
  const events = filter.event === undefined ? undefined : await eventsOf(db, candidates, filter.event);
  const fitting = candidates.filter(
    (row) => isIn(row, filter.state) && (events === undefined || events.has(row.event_id)),
  );
  const shown = fitting.slice(0, limit);
  const last = fitting.length > limit ? shown.at(-1) : candidates.length === max ? candidates.at(-1) : undefined;
  const rows = await deliveriesById(db, idsOf(shown));
  return { rows, next: last && { createdAt: last.createdAt, id: last.id } };
}

/** Whether an index holds the deliveries in this state in the order of the log. */
function isListed(scope: Scope, { state, webhookId, landlordId }: LogFilter): boolean {
  const ofWebhook = isOfSome(scope, { landlordId }) || webhookId !== undefined;
  return state === 'failed' || (!ofWebhook && (state === 'pending' || state === 'held'));
}

/** Whether only the webhooks of some keys are read. */
function isOfSome(scope: Scope, { landlordId }: Pick<LogFilter, 'landlordId'>): boolean {
  return scope.of === 'one landlord' || landlordId !== undefined;
}

function maxExamined(scope: Scope, filter: LogFilter, limit: number): number {
  if (filter.event === undefined && (filter.state === undefined || isListed(scope, filter))) return limit + 1;
  if (isListed(scope, filter) && filter.webhookId === undefined && !isOfSome(scope, filter))
    return MAX_EXAMINED_INDEXED;
  return filter.webhookId === undefined && isOfSome(scope, filter) ? MAX_EXAMINED_PER_WEBHOOK : MAX_EXAMINED;
}

async function candidatesOf(
  db: Database,
  scope: Scope,
  filter: LogFilter,
  before: LogPosition | undefined,
  max: number,
): Promise<Candidate[]> {
  const { state, webhookId, landlordId } = filter;
  const newest = (webhook?: string) => {
    const rows = db('deliveries')
      .limit(max)
      .select({ id: 'id', createdAt: 'created_at', event_id: 'event_id', status: 'status', due_at: 'due_at' });
    if (webhook !== undefined) ofWebhook(db, rows, webhook, { until: before?.createdAt });
    if (state && isListed(scope, filter)) rows.whereRaw(inState[state]);
    if (before) rows.whereRaw('(created_at, id) < (?, ?)', [before.createdAt, before.id]);
    return rows.orderBy([{ column: 'created_at', order: 'desc' }, ID_DESC]);
  };
  if (webhookId === undefined && !isOfSome(scope, filter)) return newest();
  const webhooks = await webhooksOf(db, scope, { webhookId, landlordId });
  const [first, ...others] = webhooks.map((id) => db.from(newest(id).as('newest')).select('*'));
  if (!first) return [];
  const all: Knex.QueryBuilder = others.reduce<Knex.QueryBuilder>((some, one) => some.unionAll(one), first);
  const ofAll = db
    .from(all.as('newest'))
    .orderBy([{ column: 'createdAt', order: 'desc' }, ID_DESC])
    .limit(max);
  return dialectOf(db) === 'postgres' ? inIndexOrder(db, async (trx) => ofAll.transacting(trx)) : ofAll;
}

async function eventsOf(db: Database, candidates: readonly Candidate[], event: string): Promise<Set<string>> {
  const ids = candidates.map(({ event_id }) => event_id);
  return new Set<string>(await db('events').whereIn('id', ids).where({ event }).pluck('id'));
}

function isIn({ status, due_at }: Candidate, state: DeliveryState | undefined): boolean {
  if (state === undefined) return true;
  if (state === 'pending' || state === 'held') return status === 'pending' && (due_at === null) === (state === 'held');
  return status === state;
}

function webhooksOf(
  db: Database,
  scope: Scope,
  { webhookId, landlordId }: Pick<LogFilter, 'webhookId' | 'landlordId'>,
): Promise<string[]> {
  const chosen = db('webhooks').where(inScope(scope, 'webhooks.api_key_id'));
  if (webhookId !== undefined) chosen.where('webhooks.id', webhookId);
  if (landlordId !== undefined)
    chosen.join('api_keys', 'api_keys.id', 'webhooks.api_key_id').where('api_keys.landlord_id', landlordId);
  return chosen.orderBy('webhooks.id', 'desc').limit(MAX_WEBHOOKS).pluck('webhooks.id');
}

/** By ids in each table: a join would read small tables as a whole. */
async function deliveriesById(db: Database, ids: readonly string[]): Promise<ListedDelivery[]> {
  const rows = await db('deliveries').whereIn('id', ids);
  const events = await db('events')
    .whereIn(
      'id',
      rows.map(({ event_id }) => event_id),
    )
    .select('id', 'event', 'tenant_id');
  const webhooks = await db('webhooks')
    .whereIn(
      'id',
      rows.map(({ webhook_id }) => webhook_id),
    )
    .select('id', 'url');
  return ids.flatMap((id) => {
    const row = rows.find((one) => one.id === id);
    const event = events.find((one) => one.id === row?.event_id);
    const webhook = webhooks.find((one) => one.id === row?.webhook_id);
    // Rows deleted in the meantime are left out.
    return row && event && webhook
      ? [{ ...row, event: event.event, tenant_id: event.tenant_id, url: webhook.url }]
      : [];
  });
}
