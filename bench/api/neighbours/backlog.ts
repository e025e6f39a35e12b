import { derivedIdAt, ID_PREFIX, newId, type TimedPrefix } from '../../../core/ids.ts';
import type { Database } from '../../../db/connection/database.ts';
import { inTransaction } from '../../../db/connection/transactions.ts';
import { insertDeliveries } from '../../../db/webhooks/deliveries.ts';

const WEBHOOKS = 1_000;
const AT_ONCE = 1_000;

/** Copies a webhook and an event until their deliveries, all due, are as many as asked for. */
export async function addBacklog(db: Database, webhookId: string, count: number): Promise<void> {
  const now = new Date();
  const at = now.toISOString();
  const hook = await db('webhooks').where({ id: webhookId }).first();
  const event = await db('events')
    .where({ api_key_id: hook?.api_key_id ?? '' })
    .first();
  if (!hook || !event) throw new Error('The loud landlord has no event.');
  const body = await db('event_bodies').where({ id: event.id }).first();
  const hooks = Array.from({ length: WEBHOOKS }, (_, number) => ({
    ...hook,
    id: newId(),
    url: `${hook.url}/${number}`,
  }));
  await db.batchInsert('webhooks', hooks, 50);
  const events = Array.from({ length: Math.ceil(count / WEBHOOKS) }, () => ({
    ...event,
    id: timedId(ID_PREFIX.event),
  }));
  await db.batchInsert('events', events, 50);
  if (body)
    await db.batchInsert(
      'event_bodies',
      events.map(({ id }) => ({ ...body, id })),
      50,
    );
  const shared = { api_key_id: hook.api_key_id, status: 'pending', attempts: 0, schedule_from: 0 };
  for (const { id: event_id } of events) {
    const deliveries = hooks.map(({ id: webhook_id }) => ({
      ...shared,
      ...{
        id: timedId(ID_PREFIX.delivery),
        event_id,
        webhook_id,
        due_at: at,
        correlation_id: null,
        created_at: at,
      },
    }));
    for (let from = 0; from < deliveries.length; from += AT_ONCE)
      await inTransaction(db, (trx) => insertDeliveries(trx, deliveries.slice(from, from + AT_ONCE)));
  }
}

function timedId(prefix: TimedPrefix): string {
  return derivedIdAt(prefix, { id: newId(), created_at: new Date().toISOString() }, 'a backlog');
}
