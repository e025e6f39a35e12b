import type { Knex } from 'knex';
import { idsOf } from '../../core/ids.ts';
import { inForce } from '../access/api-key-states.ts';
import { type Database, dialectOf } from '../connection/database.ts';
import { countRows, countUpTo } from '../connection/queries/counts.ts';
import { inIndexOrder, unindexed, walkIndex } from '../connection/queries/index-order.ts';
import { newestFirst } from '../connection/queries/newest-first.ts';
import { inScope, type Scope } from '../connection/queries/scope.ts';
import type { DeliveryAttemptRow, DeliveryRow } from './deliveries.ts';
import { BODY } from './event-bodies.ts';
import type { WebhookRow } from './webhooks.ts';

/** The states of a delivery as operators see them: held is pending without `due_at`. */
export const deliveryStates = ['pending', 'held', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export function deliveryState({ status, due_at }: Pick<DeliveryRow, 'status' | 'due_at'>): DeliveryState {
  return status === 'pending' && due_at === null ? 'held' : status;
}

export interface DeliveryFilter {
  state?: DeliveryState | undefined;
  webhookId?: string | undefined;
  tenantId?: string | undefined;
  event?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
}

/**
 * Literal: the wording of partial indexes. `coalesce` prevents the use of the index on `due_at`, in which every delivered row is null
 * too.
 */
export const inState: Record<DeliveryState, string> = {
  pending: "deliveries.status = 'pending' and deliveries.due_at is not null",
  held: "deliveries.status = 'pending' and coalesce(deliveries.due_at, '') = ''",
  delivered: "deliveries.status = 'delivered'",
  failed: "deliveries.status = 'failed'",
};

export type ListedDelivery = DeliveryRow & { event: string; tenant_id: string; url: string };

/** Deliveries of one webhook, forced onto its index: it may own most old rows and no recent ones. On Postgres, inside `inIndexOrder`. */
export function ofWebhook(
  db: Database,
  rows: Knex.QueryBuilder,
  webhookId: string,
  { since = '', until = NEVER }: { since?: string | undefined; until?: string | undefined },
): void {
  if (dialectOf(db) === 'sqlite') rows.where('deliveries.webhook_id', webhookId);
  else walkIndex(rows, { columns: WEBHOOK_INDEX, value: webhookId, from: since, to: until });
}

/** After every moment. */
const NEVER = '9999';
const WEBHOOK_INDEX = ['deliveries.webhook_id', 'deliveries.created_at'] as const;

/** Newest first. */
export async function listDeliveries(
  db: Database,
  scope: Scope,
  filter: DeliveryFilter,
  limit: number,
): Promise<ListedDelivery[]> {
  const chosen = chosenIn(db, filter, limit);
  if (scope.of === 'one landlord')
    chosen.join('webhooks', 'webhooks.id', 'deliveries.webhook_id').where(inScope(scope, 'webhooks.api_key_id'));
  if (dialectOf(db) === 'sqlite' || !isOfWebhookAlone(filter)) return withNames(db, chosen);
  // In a transaction of its own, because the statement that follows may sort.
  const ids = idsOf(await inIndexOrder(db, async (trx) => chosen.transacting(trx)));
  return withNames(db, db('deliveries').whereIn('deliveries.id', ids).select('deliveries.id'));
}

/** Whether an index of the webhook holds them in the order of the list. */
function isOfWebhookAlone({ webhookId, state, tenantId, event }: DeliveryFilter): boolean {
  const others = [tenantId, event].filter((filter) => filter !== undefined);
  return webhookId !== undefined && others.length === 0 && (state === undefined || state === 'failed');
}

function chosenIn(db: Database, filter: DeliveryFilter, limit: number) {
  const { state, webhookId, tenantId, event, since, until } = filter;
  const chosen = db('deliveries').limit(limit).select('deliveries.id');
  if (tenantId !== undefined || event !== undefined) chosen.join('events', 'events.id', 'deliveries.event_id');
  if (state) chosen.whereRaw(inState[state]);
  if (webhookId !== undefined && isOfWebhookAlone(filter))
    ofWebhook(db, chosen, webhookId, { since: since?.toISOString(), until: until?.toISOString() });
  else if (webhookId !== undefined) chosen.where('deliveries.webhook_id', webhookId);
  if (tenantId !== undefined) chosen.where('events.tenant_id', tenantId);
  if (event !== undefined) chosen.where('events.event', event);
  if (since) chosen.where('deliveries.created_at', '>=', since.toISOString());
  if (until) chosen.where('deliveries.created_at', '<', until.toISOString());
  // A delivery is as old as its event. A tenant has few: they are sorted instead of being searched for among all others.
  const moment = event === undefined ? 'deliveries.created_at' : 'events.created_at';
  chosen.orderBy(tenantId === undefined ? moment : unindexed(db, moment), 'desc').orderBy('deliveries.id', 'desc');
  return chosen;
}

function withNames(db: Database, chosen: Knex.QueryBuilder): Knex.QueryBuilder<ListedDelivery, ListedDelivery[]> {
  return db
    .from(chosen.as('chosen'))
    .join('deliveries', 'deliveries.id', 'chosen.id')
    .join('events', 'events.id', 'deliveries.event_id')
    .join('webhooks', 'webhooks.id', 'deliveries.webhook_id')
    .orderBy(newestFirst('deliveries'))
    .select('deliveries.*', 'events.event', 'events.tenant_id', 'webhooks.url');
}

export const webhookStates = ['active', 'failing', 'paused'] as const;
export type WebhookState = (typeof webhookStates)[number];

export function webhookState({ paused_at, failing_since }: WebhookRow): WebhookState {
  if (paused_at !== null) return 'paused';
  return failing_since === null ? 'active' : 'failing';
}

const isWebhookIn: Record<WebhookState, (rows: Knex.QueryBuilder) => Knex.QueryBuilder> = {
  active: (rows) => rows.whereNull('paused_at').whereNull('failing_since'),
  failing: (rows) => rows.whereNull('paused_at').whereNotNull('failing_since'),
  paused: (rows) => rows.whereNotNull('paused_at'),
};

export type ListedWebhook = WebhookRow & {
  client_id: string;
  api_key_name: string;
  landlord_id: string;
  /** The API key's, like `expires_at`. */
  revoked_at: string | null;
  expires_at: string | null;
};

/** Newest first. */
export function listWebhooks(
  db: Database,
  scope: Scope,
  { state, clientId }: { state?: WebhookState | undefined; clientId?: string | undefined },
  limit: number,
): Promise<ListedWebhook[]> {
  const chosen = webhooksWithKeys(db)
    .where(inScope(scope, 'webhooks.api_key_id'))
    .orderBy(newestFirst('webhooks'))
    .limit(limit);
  if (state) isWebhookIn[state](chosen);
  return clientId === undefined ? chosen : chosen.where({ client_id: clientId });
}

export function findListedWebhook(db: Database, scope: Scope, id: string): Promise<ListedWebhook | undefined> {
  return webhooksWithKeys(db).where('webhooks.id', id).where(inScope(scope, 'webhooks.api_key_id')).first();
}

function webhooksWithKeys(db: Database) {
  return db('webhooks')
    .join('api_keys', 'api_keys.id', 'webhooks.api_key_id')
    .select('webhooks.*', 'api_keys.name as api_key_name')
    .select(['client_id', 'landlord_id', 'revoked_at', 'expires_at'].map((column) => `api_keys.${column}`));
}

/** The limit of each count, so that polling stays cheap. */
export const MAX_COUNTED = 1_000;

export interface WebhookNumbers {
  /** Deliveries that wait for an attempt, or are held; each up to `MAX_COUNTED`. */
  pending: number;
  held: number;
  failed: number;
  /** Until when a replaced secret signs. */
  formerSecretsUntil: string | null;
}

export async function webhookNumbers(
  db: Database,
  ids: readonly string[],
  now: Date,
): Promise<(id: string) => WebhookNumbers> {
  if (ids.length === 0) return () => ({ pending: 0, held: 0, failed: 0, formerSecretsUntil: null });
  // Uses the index of the webhook's pending deliveries. The row comparison implies `due_at is not null`, which the planner does not see, so
  // it cannot walk the index of all pending deliveries, which keeps dead entries until a vacuum.
  const conditions = {
    ...inState,
    pending: "status = 'pending' and (webhook_id, due_at) >= (asked.column1, '')",
    held: "status = 'pending' and due_at is null",
  };
  const count = (state: DeliveryState) =>
    `(select count(*) from (select 1 from deliveries where webhook_id = asked.column1 and ${conditions[state]} limit ${MAX_COUNTED}) as counted) as ${state}`;
  const counts: { id: string; pending: number; held: number; failed: number }[] = await db
    .from(db.raw(`(values ${ids.map(() => '(?)').join(', ')}) as asked`, [...ids]))
    .select('column1 as id', ...(['pending', 'held', 'failed'] as const).map((state) => db.raw(count(state))));
  const number = (id: string, state: 'pending' | 'held' | 'failed') =>
    Number(counts.find((row) => row.id === id)?.[state] ?? 0);
  const formers: { webhook_id: string; until: string }[] = await db('former_webhook_secrets')
    .whereIn('webhook_id', ids)
    .where('expires_at', '>', now.toISOString())
    .groupBy('webhook_id')
    .select('webhook_id', db.raw('max(expires_at) as until'));
  return (id) => ({
    pending: number(id, 'pending'),
    held: number(id, 'held'),
    failed: number(id, 'failed'),
    formerSecretsUntil: formers.find(({ webhook_id }) => webhook_id === id)?.until ?? null,
  });
}

export interface DeliveryHistory {
  delivery: ListedDelivery & { payload_expired: boolean };
  webhook: ListedWebhook;
  attempts: DeliveryAttemptRow[];
}

/** A delivery can be sent again and again. */
export const MAX_SHOWN_ATTEMPTS = 100;

export async function findDeliveryHistory(
  db: Database,
  scope: Scope,
  id: string,
): Promise<DeliveryHistory | undefined> {
  const row: (ListedDelivery & { is_expired: boolean | number }) | undefined = await db('deliveries')
    .join('events', 'events.id', 'deliveries.event_id')
    .join('webhooks', 'webhooks.id', 'deliveries.webhook_id')
    .where('deliveries.id', id)
    .where(inScope(scope, 'webhooks.api_key_id'))
    .first('deliveries.*', 'events.event', 'events.tenant_id', 'webhooks.url', db.raw(`${BODY} is null as is_expired`));
  if (!row) return undefined;
  const webhook = await findListedWebhook(db, scope, row.webhook_id);
  if (!webhook) throw new Error('The webhook vanished.');
  const newest = db('delivery_attempts').where({ delivery_id: id }).orderBy('number', 'desc').limit(MAX_SHOWN_ATTEMPTS);
  const attempts = (await newest).toReversed();
  const { is_expired, ...delivery } = row;
  return { delivery: { ...delivery, payload_expired: Boolean(is_expired) }, webhook, attempts };
}

/** The number of paused webhooks whose keys are in force. */
export async function countPausedWebhooks(db: Database, now: Date): Promise<number> {
  const webhooks = db('webhooks').join('api_keys', 'api_keys.id', 'webhooks.api_key_id');
  return countRows(webhooks.where(inForce(now)).whereNotNull('webhooks.paused_at'));
}

/** Counted up to a limit. */
export function countFailedDeliveries(db: Database, since: string, limit: number): Promise<number> {
  return countUpTo(db, db('deliveries').whereRaw(inState.failed).where('finished_at', '>=', since), limit);
}
