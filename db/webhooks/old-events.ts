import { countRows, type Database, type Transaction } from '../connection/connect.ts';
import { inTransaction, retried } from '../connection/transactions.ts';
import { hasStatus } from '../work/beside-id.ts';
import { dueAt } from '../work/work.ts';

const ROWS_A_PASS = 500;

/** Why a delivery can no longer be sent, in words for operators. */
export const PAYLOAD_EXPIRED = 'the payload has expired';

/**
 * Purges the payloads and response excerpts of events older than `before`. Their pending deliveries end, because nothing is left
 * to send.
 * @returns how many payloads and excerpts were purged
 */
export async function forgetPayloads(db: Database, before: string, now: Date): Promise<number> {
  const events = await inPasses(db, (trx) => forgetBodies(trx, before, now));
  return events + (await inPasses(db, (trx) => forgetAnswers(trx, before)));
}

/** Deletes events older than `before` with their deliveries and attempts. @returns how many events were deleted */
export function forgetEvents(db: Database, before: string): Promise<number> {
  return inPasses(db, async (trx) => {
    const ids = await oldestEvents(trx, before).pluck('id');
    await forgetDeliveries(trx, ids);
    return trx('events').whereIn('id', ids).delete();
  });
}

/** How many events older than `before` still have their payload, or exist at all. */
export async function countOldEvents(db: Database, what: 'payloads' | 'records', before: string): Promise<number> {
  const events = db('events').where('created_at', '<', before);
  if (what === 'payloads') events.whereNotNull('body');
  return countRows(events);
}

/** Deletes deliveries in the order of all locks on them, by id. @returns their ids, and how many attempts were deleted */
export async function forgetDeliveries(
  trx: Transaction,
  eventIds: readonly string[],
): Promise<{ ids: string[]; attempts: number }> {
  const ids = await trx('deliveries').whereIn('event_id', eventIds).orderBy('id').forUpdate().pluck('id');
  const attempts = await trx('delivery_attempts').whereIn('delivery_id', ids).delete();
  await trx('deliveries').whereIn('id', ids).delete();
  return { ids, attempts };
}

function oldestEvents(trx: Transaction, before: string) {
  return trx('events').where('created_at', '<', before).orderBy('created_at').limit(ROWS_A_PASS);
}

async function forgetBodies(trx: Transaction, before: string, now: Date): Promise<number> {
  const ids = await oldestEvents(trx, before).whereNotNull('body').pluck('id');
  const finished_at = now.toISOString();
  const end = { status: 'failed' as const, ...dueAt(null), finished_at, last_error: PAYLOAD_EXPIRED };
  const waiting = trx('deliveries').whereIn('event_id', ids).where(hasStatus('pending'));
  await trx('deliveries').whereIn('id', waiting.orderBy('id').forNoKeyUpdate().select('id')).update(end);
  return trx('events').whereIn('id', ids).update({ body: null });
}

async function forgetAnswers(trx: Transaction, before: string): Promise<number> {
  const rows = await trx('delivery_attempts')
    .where('started_at', '<', before)
    .whereNotNull('response_excerpt')
    .orderBy('started_at')
    .limit(ROWS_A_PASS)
    .select('delivery_id', 'number');
  return trx('delivery_attempts')
    .whereIn(
      ['delivery_id', 'number'],
      rows.map(({ delivery_id, number }) => [delivery_id, number]),
    )
    .update({ response_excerpt: null });
}

/** In small transactions that do not block a running service. */
async function inPasses(db: Database, pass: (trx: Transaction) => Promise<number>): Promise<number> {
  let sum = 0;
  for (;;) {
    const rows = await inTransaction(db, pass);
    sum += rows;
    if (rows < ROWS_A_PASS) return sum;
  }
}

export async function forgetFormerSecrets(db: Database, now: Date): Promise<void> {
  await retried(db, () => db('former_webhook_secrets').where('expires_at', '<=', now.toISOString()).delete());
  await retried(db, () => db('former_client_secrets').where('expires_at', '<=', now.toISOString()).delete());
}
