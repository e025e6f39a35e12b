import type { Knex } from 'knex';
import { countRows, type Database, type Transaction } from '../connection/connect.ts';
import { dueAt } from '../work/work.ts';

/** Not one that is due already, or that a process is sending. @returns how many were made due */
export function makeDeliveryDue(trx: Transaction, id: string, now: Date): Promise<number> {
  const waits = (row: Knex.QueryBuilder) => row.whereNull('leased_by').where('due_at', '>', now.toISOString());
  const free = trx('deliveries').where((settled) =>
    settled.whereNot({ status: 'pending' }).orWhereNull('due_at').orWhere(waits),
  );
  return makeDue(trx, free.where({ id }), now);
}

/** Makes the failed deliveries of a webhook due again. @returns how many they are */
export function makeFailedDue(trx: Transaction, webhookId: string, since: Date, now: Date): Promise<number> {
  return makeDue(trx, failedSince(trx, webhookId, since), now);
}

/** How many deliveries `makeFailedDue` would make due. */
export async function countFailedSince(db: Database, webhookId: string, since: Date): Promise<number> {
  return countRows(failedSince(db, webhookId, since));
}

/** Deliveries of a webhook that failed since a moment, whose event is of the same API key and whose payload is still there. */
function failedSince(db: Database, webhookId: string, since: Date) {
  return db('deliveries')
    .where({ webhook_id: webhookId })
    .whereRaw("status = 'failed'")
    .where('finished_at', '>=', since.toISOString())
    .whereExists(
      db('events')
        .join('webhooks', 'webhooks.api_key_id', 'events.api_key_id')
        .where('webhooks.id', webhookId)
        .where('events.id', db.ref('deliveries.event_id'))
        .whereNotNull('body')
        .select(db.raw('1')),
    );
}

/** Due now, with the whole schedule of attempts ahead. */
function makeDue(trx: Transaction, deliveries: ReturnType<typeof failedSince>, now: Date): Promise<number> {
  return trx('deliveries')
    .whereIn('id', deliveries.orderBy('id').forNoKeyUpdate().select('id'))
    .update({
      status: 'pending',
      ...dueAt(now),
      schedule_from: trx.raw('attempts'),
      finished_at: null,
    });
}
