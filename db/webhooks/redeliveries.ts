import type { Knex } from 'knex';
import { idsOf } from '../../core/ids.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { countRows } from '../connection/queries/counts.ts';
import { withoutSorting } from '../connection/queries/index-order.ts';
import { hasStatus } from '../work/beside-id.ts';
import { dueAt } from '../work/work.ts';
import { BODY } from './event-bodies.ts';

/** Skips deliveries that are already due or being sent. @returns how many were made due */
export function makeDeliveryDue(trx: Transaction, id: string, now: Date): Promise<number> {
  const waits = (row: Knex.QueryBuilder) => row.whereNull('leased_by').where('due_at', '>', now.toISOString());
  const free = trx('deliveries').where((settled) =>
    settled.whereNot({ status: 'pending' }).orWhereNull('due_at').orWhere(waits),
  );
  return makeDue(trx, free.where({ id }), now);
}

/** The last delivery that a batch examined. */
export interface FailedPosition {
  created_at: string;
  id: string;
}

/** Before the first one. */
export const FIRST_FAILED: FailedPosition = { created_at: '', id: '' };

const MAX_ROWS_PER_BATCH = 1_000;

/**
 * Makes a batch of the failed deliveries of a webhook due again, oldest first. Each is examined once, although it may fail again meanwhile.
 * @returns how many were made due, and where the next batch begins; undefined behind the last one
 */
export async function makeFailedDue(
  trx: Transaction,
  webhookId: string,
  { since, after }: { since: Date; after: FailedPosition },
  now: Date,
): Promise<{ due: number; next: FailedPosition | undefined }> {
  const found = await nextFailed(trx, webhookId, after);
  const failed = trx('deliveries').whereIn('id', idsOf(found)).where(hasStatus('failed'));
  const due = found.length === 0 ? 0 : await makeDue(trx, failed.where(isWanted(trx, webhookId, since)), now);
  return { due, next: found.length === MAX_ROWS_PER_BATCH ? found.at(-1) : undefined };
}

/** In the order of the index `deliveries_failed`: any other plan reads all that failed, for each batch. */
function nextFailed(trx: Transaction, webhookId: string, after: FailedPosition): Promise<FailedPosition[]> {
  const failed = failedOf(trx, webhookId)
    .where('created_at', '>=', after.created_at)
    .whereRaw('(created_at, id) > (?, ?)', [after.created_at, after.id])
    .orderBy(['webhook_id', 'created_at', 'id'])
    .limit(MAX_ROWS_PER_BATCH);
  return withoutSorting(trx, () => failed.select('id', 'created_at'));
}

/** The literal condition of the partial index: SQLite uses it for no other wording. */
function failedOf(db: Database, webhookId: string) {
  return db('deliveries').where({ webhook_id: webhookId }).whereRaw("status = 'failed'");
}

/** How many deliveries `makeFailedDue` would make due in all batches. */
export async function countFailedSince(db: Database, webhookId: string, since: Date): Promise<number> {
  return countRows(failedOf(db, webhookId).where(isWanted(db, webhookId, since)));
}

/** It failed since a given time, and its event belongs to the API key of the webhook and still has its payload. */
function isWanted(db: Database, webhookId: string, since: Date) {
  return (delivery: Knex.QueryBuilder) =>
    delivery
      .where('finished_at', '>=', since.toISOString())
      .whereExists(
        db('events')
          .join('webhooks', 'webhooks.api_key_id', 'events.api_key_id')
          .where('webhooks.id', webhookId)
          .where('events.id', db.ref('deliveries.event_id'))
          .whereRaw(`${BODY} is not null`)
          .select(db.raw('1')),
      );
}

/** Due now, with a full retry schedule. */
function makeDue(trx: Transaction, deliveries: ReturnType<typeof failedOf>, now: Date): Promise<number> {
  return trx('deliveries')
    .whereIn('id', deliveries.orderBy('id').forNoKeyUpdate().select('id'))
    .update({
      status: 'pending',
      ...dueAt(now),
      schedule_from: trx.raw('attempts'),
      finished_at: null,
    });
}
