import { isoAfter } from '../../core/time.ts';
import { isInForce } from '../../db/access/api-key-states.ts';
import { type Actor, recordAudit, SERVICE } from '../../db/audit/audit.ts';
import type { Database, Transaction } from '../../db/connection/connect.ts';
import type { DeliveryRow } from '../../db/webhooks/deliveries.ts';
import { CLOCK_DIFFERENCE_MS } from '../queue/claims.ts';
import { LEASE_SECONDS } from '../queue/queue.ts';
import type { Runtime } from '../runtime.ts';

const JOBS_A_BATCH = 500;

/** Why something is not delivered again. */
export type RedeliveryRefusal =
  /** Its body was forgotten. */
  | 'expired'
  /** The API key hears of nothing more, or not before it is given another end. */
  | 'key revoked'
  | 'key expired'
  /** The webhook's deliveries are held. */
  | 'paused'
  /** A process has it in hand, or it is due within moments. */
  | 'under way';

/**
 * Has a delivery tried at once, with the whole schedule of attempts before it, whether it was delivered, failed or waits. Its id and
 * body are the same.
 */
export async function redeliver(
  runtime: Runtime,
  delivery: DeliveryRow,
  by: Actor = SERVICE,
): Promise<RedeliveryRefusal | 'sent'> {
  const { db, now } = runtime;
  const outcome = await db.transaction(async (trx) => {
    const refusal = await webhookRefusal(trx, delivery.webhook_id, now());
    if (refusal) return refusal;
    const event = await trx('events').where({ id: delivery.event_id }).first('body');
    if (event?.body == null) return 'expired' as const;
    const ready = settled(trx, now()).where({ id: delivery.id });
    if ((await makeDue(trx, ready, now())).length === 0) return 'under way' as const;
    await recordAudit(trx, by, 'delivery.redeliver', delivery.id, now());
    return 'sent' as const;
  });
  if (outcome === 'sent') await sendDue(runtime, [delivery.id]);
  return outcome;
}

/** The deliveries of a webhook that failed since a moment and whose bodies are kept. */
function failedSince(db: Database, webhookId: string, since: Date) {
  return db('deliveries')
    .where({ webhook_id: webhookId })
    .whereRaw("status = 'failed'")
    .where('finished_at', '>=', since.toISOString())
    .whereExists(db('events').where('id', db.ref('deliveries.event_id')).whereNotNull('body').select(db.raw('1')));
}

/** How many `redeliverFailed` would send. */
export async function countFailed({ db }: Runtime, webhookId: string, since: Date): Promise<number> {
  const [row] = await failedSince(db, webhookId, since).count({ count: '*' });
  return Number(row?.count);
}

/** Has all deliveries of a webhook tried again that failed since a moment. @returns how many they are */
export async function redeliverFailed(
  runtime: Runtime,
  webhookId: string,
  since: Date,
  by: Actor = SERVICE,
): Promise<RedeliveryRefusal | number> {
  const { db, now } = runtime;
  const outcome = await db.transaction(async (trx) => {
    const refusal = await webhookRefusal(trx, webhookId, now());
    if (refusal) return refusal;
    const due = await makeDue(trx, failedSince(trx, webhookId, since), now());
    if (due.length > 0) await recordAudit(trx, by, 'webhook.redeliver-failed', webhookId, now());
    return due;
  });
  if (typeof outcome === 'string') return outcome;
  await sendDue(runtime, outcome);
  return outcome.length;
}

/** Whoever pauses the webhook meanwhile waits, and then holds what was made due. */
async function webhookRefusal(trx: Transaction, id: string, now: Date): Promise<RedeliveryRefusal | undefined> {
  const webhook = await trx('webhooks').where({ id }).forNoKeyUpdate().first('api_key_id', 'paused_at');
  if (webhook?.paused_at) return 'paused';
  const key = await trx('api_keys')
    .where({ id: webhook?.api_key_id ?? '' })
    .first('revoked_at', 'expires_at');
  if (key && isInForce(key, now)) return undefined;
  return key?.revoked_at === null ? 'key expired' : 'key revoked';
}

/**
 * Whoever is at a delivery has moved `due_at` on by a lease at most, so one that is due later than this only waits. One that is due
 * before may be in hand, or is about to be.
 */
export function latestLease(now: Date): string {
  return isoAfter(now, LEASE_SECONDS * 1000 + CLOCK_DIFFERENCE_MS);
}

/** Deliveries that nobody is at. */
function settled(trx: Transaction, now: Date) {
  return trx('deliveries').where((free) =>
    free.whereNot({ status: 'pending' }).orWhereNull('due_at').orWhere('due_at', '>', latestLease(now)),
  );
}

/** @returns the ids of those that became due */
async function makeDue(trx: Transaction, deliveries: ReturnType<typeof settled>, now: Date): Promise<string[]> {
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

/**
 * Sends the jobs of deliveries that became due, so that what happens meanwhile goes first if they are many. Those that are
 * lost when we die meanwhile are found by the sweep.
 */
export async function sendDue({ db, queue }: Runtime, ids: readonly string[]): Promise<void> {
  const jobs = ids.map((id) => ({ id, bulk: ids.length > 1 }));
  for (let index = 0; index < jobs.length; index += JOBS_A_BATCH)
    await db.transaction((trx) => queue.send(trx, 'deliver-webhook', jobs.slice(index, index + JOBS_A_BATCH)));
}
