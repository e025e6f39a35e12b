import type { Database, Transaction } from '../connection/connect.ts';

const ROWS_A_PASS = 500;

/** Why a delivery cannot be sent any more. */
export const PAYLOAD_EXPIRED = 'the payload has expired';

/**
 * Forgets what events of before told and what was answered. Deliveries of them that still wait end, because there is nothing
 * left to send.
 * @returns how many events and answers were forgotten
 */
export async function forgetPayloads(db: Database, before: string, now: Date): Promise<number> {
  const events = await inPasses(db, (trx) => forgetBodies(trx, before, now));
  return events + (await inPasses(db, (trx) => forgetAnswers(trx, before)));
}

/** Forgets events of before with their deliveries and attempts. @returns how many events were forgotten */
export function forgetEvents(db: Database, before: string): Promise<number> {
  return inPasses(db, async (trx) => {
    const events = await trx('events')
      .where('created_at', '<', before)
      .orderBy('created_at')
      .limit(ROWS_A_PASS)
      .select('id');
    const ids = events.map(({ id }) => id);
    await forgetDeliveries(trx, ids);
    return trx('events').whereIn('id', ids).delete();
  });
}

/** How many events of before are still kept with what they told, or at all. */
export async function countOldEvents(db: Database, what: 'payloads' | 'records', before: string): Promise<number> {
  const events = db('events').where('created_at', '<', before);
  if (what === 'payloads') events.whereNotNull('body');
  const [row] = await events.count({ count: '*' });
  return Number(row?.count ?? 0);
}

/** In the order in which everybody locks deliveries. @returns the ids of those that were forgotten, and how many attempts */
export async function forgetDeliveries(
  trx: Transaction,
  eventIds: readonly string[],
): Promise<{ ids: string[]; attempts: number }> {
  const rows = await trx('deliveries').whereIn('event_id', eventIds).orderBy('id').forUpdate().select('id');
  const ids = rows.map(({ id }) => id);
  const attempts = await trx('delivery_attempts').whereIn('delivery_id', ids).delete();
  await trx('deliveries').whereIn('id', ids).delete();
  return { ids, attempts };
}

async function forgetBodies(trx: Transaction, before: string, now: Date): Promise<number> {
  const events = await trx('events')
    .where('created_at', '<', before)
    .whereNotNull('body')
    .orderBy('created_at')
    .limit(ROWS_A_PASS)
    .select('id');
  const ids = events.map(({ id }) => id);
  const end = { status: 'failed' as const, due_at: null, finished_at: now.toISOString(), last_error: PAYLOAD_EXPIRED };
  const waiting = trx('deliveries').whereIn('event_id', ids).where({ status: 'pending' });
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

/** In small transactions, beside a running service. */
async function inPasses(db: Database, pass: (trx: Transaction) => Promise<number>): Promise<number> {
  let sum = 0;
  for (;;) {
    const rows = await db.transaction(pass);
    sum += rows;
    if (rows < ROWS_A_PASS) return sum;
  }
}

/** Forgets secrets that were replaced and no longer sign, or open anything. */
export async function forgetFormerSecrets(db: Database, now: Date): Promise<void> {
  await db('former_webhook_secrets').where('expires_at', '<=', now.toISOString()).delete();
  await db('former_client_secrets').where('expires_at', '<=', now.toISOString()).delete();
}
