import type { Knex } from 'knex';
import { firstIdAt, ID_PREFIX } from '../../core/ids.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { rowsBelow } from '../connection/partitions/partitions.ts';
import { countRows } from '../connection/queries/counts.ts';
import { among } from '../connection/queries/many-values.ts';
import { inTransaction, retried } from '../connection/transactions.ts';
import { hasStatus } from '../work/beside-id.ts';
import { dueAt } from '../work/work.ts';
import { inState } from './delivery-lists.ts';

const MAX_ROWS_PER_PASS = 500;
/** How many events are deleted in one transaction: each has a delivery to every webhook of its key, of which there may be a thousand. */
const MAX_EVENTS_AT_ONCE = 10;

/** Why a delivery can no longer be sent, in words for operators. */
export const PAYLOAD_EXPIRED = 'the payload has expired';

/** Rows older than a time, which is a number of days ago. */
export interface Old {
  before: Date;
  days: number;
}

/**
 * Purges the payloads and response excerpts of expired events. Their pending deliveries end, because nothing is left to send. On Postgres,
 * most payloads are dropped with their partition.
 * @returns how many payloads and excerpts were purged
 */
export async function purgePayloads(db: Database, { before, days }: Old, now: Date): Promise<number> {
  const moment = before.toISOString();
  const below = await rowsBelow(db, 'event_bodies', days);
  if (below !== undefined) await inPasses(db, (trx) => endWaiting(trx, moment, now));
  const old = firstIdAt(ID_PREFIX.event, before);
  return (
    (await inPasses(db, (trx) => purgeBodiesInRecords(trx, moment, now))) +
    (await inPasses(db, (trx) => purgeBodies(trx, below !== undefined && below < old ? below : old, now))) +
    (await inPasses(db, (trx) => purgeAnswers(trx, moment)))
  );
}

/**
 * Deletes expired events with their deliveries and attempts. On Postgres, most are dropped with their partition. @returns how many events
 * were deleted
 */
export async function purgeEvents(db: Database, { before, days }: Old): Promise<number> {
  const below = await rowsBelow(db, 'events', days);
  let sum = 0;
  for (;;) {
    const old = oldestEvents(db, before.toISOString());
    const ids: string[] = await (below === undefined ? old : old.where('id', '<', below)).pluck('id');
    for (let index = 0; index < ids.length; index += MAX_EVENTS_AT_ONCE) {
      const some = ids.slice(index, index + MAX_EVENTS_AT_ONCE);
      sum += await inTransaction(db, async (trx) => {
        await purgeDeliveries(trx, some);
        await trx('event_bodies').whereIn('id', some).delete();
        return trx('events').whereIn('id', some).delete();
      });
    }
    if (ids.length < MAX_ROWS_PER_PASS) return sum;
  }
}

/** How many events older than `before` still have their payload, or exist at all. */
export async function countOldEvents(db: Database, what: 'payloads' | 'records', before: Date): Promise<number> {
  const events = db('events').where('created_at', '<', before.toISOString());
  if (what === 'records') return countRows(events);
  const apart = await countRows(db('event_bodies').where('id', '<', firstIdAt(ID_PREFIX.event, before)));
  return apart + (await countRows(events.whereNotNull('body')));
}

/** Deletes deliveries in id order, like all locks on them. @returns their ids, and how many attempts were deleted */
export async function purgeDeliveries(
  trx: Transaction,
  eventIds: readonly string[],
): Promise<{ ids: string[]; attempts: number }> {
  const ids = await trx('deliveries')
    .where(among(trx, 'event_id', eventIds))
    .orderBy('id')
    .forUpdate()
    .pluck('id');
  const attempts = await trx('delivery_attempts')
    .where(among(trx, 'delivery_id', ids))
    .delete();
  await trx('deliveries')
    .where(among(trx, 'id', ids))
    .delete();
  return { ids, attempts };
}

function oldestEvents(trx: Database | Transaction, before: string) {
  return trx('events').where('created_at', '<', before).orderBy('created_at').limit(MAX_ROWS_PER_PASS);
}

async function purgeBodiesInRecords(trx: Transaction, before: string, now: Date): Promise<number> {
  const ids = await oldestEvents(trx, before).whereNotNull('body').pluck('id');
  await endDeliveries(trx, trx('deliveries').whereIn('event_id', ids).where(hasStatus('pending')), now);
  return trx('events').whereIn('id', ids).update({ body: null });
}

async function purgeBodies(trx: Transaction, below: string, now: Date): Promise<number> {
  const ids = await trx('event_bodies').where('id', '<', below).orderBy('id').limit(MAX_ROWS_PER_PASS).pluck('id');
  await endDeliveries(trx, trx('deliveries').whereIn('event_id', ids).where(hasStatus('pending')), now);
  return trx('event_bodies').whereIn('id', ids).delete();
}

/** On Postgres, uses the indexes behind the operators' lists of pending and held deliveries. */
async function endWaiting(trx: Transaction, before: string, now: Date): Promise<number> {
  const ids: string[] = [];
  for (const state of ['pending', 'held'] as const) {
    const old = trx('deliveries').whereRaw(inState[state]).where('created_at', '<', before);
    ids.push(
      ...(await old
        .orderBy('created_at')
        .limit(MAX_ROWS_PER_PASS - ids.length)
        .pluck('id')),
    );
  }
  await endDeliveries(trx, trx('deliveries').whereIn('id', ids).where(hasStatus('pending')), now);
  return ids.length;
}

function endDeliveries(trx: Transaction, waiting: Knex.QueryBuilder, now: Date): Promise<number> {
  const finished_at = now.toISOString();
  const end = { status: 'failed' as const, ...dueAt(null), finished_at, last_error: PAYLOAD_EXPIRED };
  return trx('deliveries').whereIn('id', waiting.orderBy('id').forNoKeyUpdate().select('id')).update(end);
}

async function purgeAnswers(trx: Transaction, before: string): Promise<number> {
  const rows = await trx('delivery_attempts')
    .where('started_at', '<', before)
    .whereNotNull('response_excerpt')
    .orderBy('started_at')
    .limit(MAX_ROWS_PER_PASS)
    .select('delivery_id', 'number');
  return trx('delivery_attempts')
    .whereIn(
      ['delivery_id', 'number'],
      rows.map(({ delivery_id, number }) => [delivery_id, number]),
    )
    .update({ response_excerpt: null });
}

/** Small transactions, which do not block a running service. */
async function inPasses(db: Database, pass: (trx: Transaction) => Promise<number>): Promise<number> {
  let sum = 0;
  for (;;) {
    const rows = await inTransaction(db, pass);
    sum += rows;
    if (rows < MAX_ROWS_PER_PASS) return sum;
  }
}

export async function deleteFormerSecrets(db: Database, now: Date): Promise<void> {
  await retried(db, () => db('former_webhook_secrets').where('expires_at', '<=', now.toISOString()).delete());
  await retried(db, () => db('former_client_secrets').where('expires_at', '<=', now.toISOString()).delete());
}
