import type { Knex } from 'knex';
import { DAY_MS, isoAfter, isoDay } from '../../core/time.ts';
import { type Database, dialectOf } from '../connection/database.ts';
import { inIndexOrder } from '../connection/queries/index-order.ts';
import { inScope, type Scope } from '../connection/queries/scope.ts';
import { ofWebhook } from './delivery-lists.ts';

/** How many deliveries of a day are read. */
export const MAX_A_DAY = 100;

export interface DailyDeliveries {
  /** In UTC. */
  day: string;
  delivered: number;
  /** Given up, or waiting for a retry. */
  failed: number;
}

/** How the attempted deliveries of a webhook went, by the day of their event: the newest `MAX_A_DAY` of each day that has any. */
export async function countDeliveries(
  db: Database,
  scope: Scope,
  webhookId: string,
  days: readonly string[],
): Promise<DailyDeliveries[]> {
  const [first, ...others] = days.map((day) => ofDay(db, scope, webhookId, day));
  if (!first) return [];
  const all = others.reduce((some, one) => some.unionAll(one), first);
  const rows: { since: string | null; delivered: string; failed: string }[] = await (dialectOf(db) === 'postgres'
    ? inIndexOrder(db, async (trx) => all.transacting(trx))
    : all);
  return rows.flatMap(({ since, delivered, failed }) =>
    since === null ? [] : [{ day: isoDay(new Date(since)), delivered: Number(delivered), failed: Number(failed) }],
  );
}

function ofDay(db: Database, scope: Scope, webhookId: string, day: string): Knex.QueryBuilder {
  const [since, until] = [`${day}T00:00:00.000Z`, isoAfter(new Date(day), DAY_MS - 1)];
  const owned = db('webhooks').where({ id: webhookId }).where(inScope(scope, 'api_key_id')).select(db.raw('1'));
  const newest = db('deliveries')
    .whereBetween('deliveries.created_at', [since, until])
    .whereExists(owned)
    .limit(MAX_A_DAY)
    .select('created_at', 'status', 'attempts');
  ofWebhook(db, newest, webhookId, { since, until });
  newest.orderBy('deliveries.created_at', 'desc');
  const count = (condition: string, name: string) => db.raw(`count(case when ${condition} then 1 end) as ${name}`);
  return db
    .from(newest.as('newest'))
    .select(
      db.raw('min(created_at) as since'),
      count("status = 'delivered'", 'delivered'),
      count("status = 'failed' or (status = 'pending' and attempts > 0)", 'failed'),
    );
}
