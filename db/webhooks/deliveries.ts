import type { Database, Transaction } from '../connection/database.ts';
import { preparedInsert } from '../connection/prepared.ts';
import { retried } from '../connection/transactions.ts';
import { hasStatus } from '../work/beside-id.ts';
import { byId, dueAt, type WorkRow } from '../work/work.ts';
import { BODY } from './event-bodies.ts';

/** Pending without `due_at` is held: its webhook is paused. */
export interface DeliveryRow extends WorkRow {
  event_id: string;
  webhook_id: string;
  /** Null in rows of the previous version. */
  api_key_id: string | null;
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  /** How many attempts had been made when the current retry schedule began. */
  schedule_from: number;
  last_status_code: number | null;
  last_error: string | null;
}

export interface DeliveryAttemptRow {
  delivery_id: string;
  number: number;
  started_at: string;
  duration_ms: number;
  status_code: number | null;
  error: string | null;
  /** The start of the response body; null when there was none, or once its retention has ended. */
  response_excerpt: string | null;
}

/** Prepared, because Knex inserts at most 500 rows with one statement on SQLite. */
export const insertDeliveries = preparedInsert('deliveries', {
  id: 'text',
  event_id: 'text',
  webhook_id: 'text',
  api_key_id: 'text',
  status: 'text',
  attempts: 'integer',
  schedule_from: 'integer',
  due_at: 'text',
  correlation_id: 'text',
  created_at: 'text',
});

export interface DeliveryToSend {
  id: string;
  webhook_id: string;
  api_key_id: string;
  attempts: number;
  schedule_from: number;
  event: string;
  /** Sealed. */
  body: string | null;
  url: string;
  sealed_secret: string | null;
  paused_at: string | null;
  /** When the API key expires or was revoked. */
  revoked_at: string | null;
  expires_at: string | null;
  /** Replaced secrets that still sign, latest first. */
  sealed_former_secrets: string[];
}

/** Deliveries that are still leased, with the current state of everything that an attempt needs. */
export async function loadDeliveries(db: Database, ids: readonly string[], now: Date): Promise<DeliveryToSend[]> {
  const rows = await db('deliveries')
    .join('events', 'events.id', 'deliveries.event_id')
    .join('webhooks', 'webhooks.id', 'deliveries.webhook_id')
    .join('api_keys', 'api_keys.id', 'webhooks.api_key_id')
    .whereIn('deliveries.id', ids)
    .whereRaw("coalesce(deliveries.status, '') = 'pending' and coalesce(deliveries.due_at, '') <> ''")
    .select({
      id: 'deliveries.id',
      webhook_id: 'deliveries.webhook_id',
      api_key_id: 'webhooks.api_key_id',
      attempts: 'attempts',
      schedule_from: 'schedule_from',
      event: 'event',
      body: db.raw<string | null>(BODY),
      url: 'url',
      sealed_secret: 'sealed_secret',
      paused_at: 'paused_at',
      revoked_at: 'api_keys.revoked_at',
      expires_at: 'api_keys.expires_at',
    });
  const formerSecrets = await db('former_webhook_secrets')
    .whereIn('webhook_id', [...new Set(rows.map(({ webhook_id }) => webhook_id))])
    .where('expires_at', '>', now.toISOString())
    .orderBy('expires_at', 'desc')
    .select('webhook_id', 'sealed_secret');
  return rows.map((row) => ({
    ...row,
    sealed_former_secrets: formerSecrets
      .filter(({ webhook_id }) => webhook_id === row.webhook_id)
      .map(({ sealed_secret }) => sealed_secret),
  }));
}

export interface AttemptRecord extends DeliveryAttemptRow {
  /** The delivery's new status. Pending without `due_at` is held. */
  status: 'pending' | 'delivered' | 'failed';
  due_at: string | null;
  finished_at: string | null;
}

/** Records the outcomes of attempts, except those that another process has already recorded. */
export async function recordAttempts(trx: Transaction, records: readonly AttemptRecord[]): Promise<void> {
  const ids = records.map(({ delivery_id }) => delivery_id);
  // In id order, which prevents deadlocks.
  const rows = await trx('deliveries')
    .whereIn('id', ids)
    .where(hasStatus('pending'))
    .orderBy('id')
    .forNoKeyUpdate()
    .select('id', 'attempts');
  const attemptsOf = new Map(rows.map(({ id, attempts }) => [id, attempts]));
  const unrecorded = records.filter(({ delivery_id, number }) => attemptsOf.get(delivery_id) === number - 1);
  const alike = Map.groupBy(unrecorded, ({ number, status_code, error, status, finished_at }) =>
    JSON.stringify([number, status_code, error, status, finished_at]),
  );
  for (const group of alike.values()) await recordAlike(trx, group);
  const attempts = unrecorded.map(({ status, due_at, finished_at, ...attempt }) => attempt);
  if (attempts.length > 0) await trx('delivery_attempts').insert(attempts);
}

async function recordAlike(trx: Transaction, group: readonly AttemptRecord[]): Promise<void> {
  const [first] = group;
  if (!first) return;
  const ids = group.map(({ delivery_id }) => delivery_id);
  await trx('deliveries')
    .whereIn('id', ids)
    .update({
      attempts: first.number,
      last_status_code: first.status_code,
      last_error: first.error,
      status: first.status,
      due_at: byId(trx, group, ({ delivery_id, due_at }) => [delivery_id, due_at]),
      leased_by: null,
      finished_at: first.finished_at,
    });
}

/** Ends a delivery that can no longer be sent. */
export async function giveUpDelivery(
  db: Database,
  id: string,
  { reason, now }: { reason: string; now: Date },
): Promise<void> {
  const end = { status: 'failed' as const, ...dueAt(null), finished_at: now.toISOString(), last_error: reason };
  await retried(db, () => db('deliveries').where({ id }).where(hasStatus('pending')).update(end));
}

export async function holdDelivery(trx: Transaction, id: string): Promise<void> {
  await trx('deliveries').where({ id }).where(hasStatus('pending')).update(dueAt(null));
}

export async function isReachable(db: Database): Promise<boolean> {
  const [answer] = await Promise.allSettled([db('deliveries').first('id')]);
  return answer.status === 'fulfilled';
}
