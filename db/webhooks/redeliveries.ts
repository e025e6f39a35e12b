import { countRows, type Database, type Transaction } from '../connection/connect.ts';

/** Not one due before `leasedUntil`: a process may be sending it. @returns the ids of what was made due */
export function makeDeliveryDue(trx: Transaction, id: string, leasedUntil: string, now: Date): Promise<string[]> {
  const free = trx('deliveries').where((settled) =>
    settled.whereNot({ status: 'pending' }).orWhereNull('due_at').orWhere('due_at', '>', leasedUntil),
  );
  return makeDue(trx, free.where({ id }), now);
}

/** Makes the failed deliveries of a webhook due again. @returns their ids */
export function makeFailedDue(trx: Transaction, webhookId: string, since: Date, now: Date): Promise<string[]> {
  return makeDue(trx, failedSince(trx, webhookId, since), now);
}

/** How many deliveries `makeFailedDue` would make due. */
export async function countFailedSince(db: Database, webhookId: string, since: Date): Promise<number> {
  return countRows(failedSince(db, webhookId, since));
}

/** Deliveries of a webhook that failed since a moment and whose payload is still there. */
function failedSince(db: Database, webhookId: string, since: Date) {
  return db('deliveries')
    .where({ webhook_id: webhookId })
    .whereRaw("status = 'failed'")
    .where('finished_at', '>=', since.toISOString())
    .whereExists(db('events').where('id', db.ref('deliveries.event_id')).whereNotNull('body').select(db.raw('1')));
}

/** Due now, with the whole schedule of attempts ahead. */
async function makeDue(trx: Transaction, deliveries: ReturnType<typeof failedSince>, now: Date): Promise<string[]> {
  const rows = await trx('deliveries')
    .whereIn('id', deliveries.orderBy('id').forNoKeyUpdate().select('id'))
    .update({
      status: 'pending',
      due_at: now.toISOString(),
      schedule_from: trx.raw('attempts'),
      finished_at: null,
    })
    .returning('id');
  return rows.map(({ id }) => id);
}
