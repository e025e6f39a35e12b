import type { Database, Transaction } from '../connection/database.ts';

/** What is counted. Requests are counted by status class. */
export const COUNTED = [
  'requests 2xx',
  'requests 3xx',
  'requests 4xx',
  'requests 5xx',
  'requests aborted',
  'delivery attempts',
  // Counted among them, too.
  'failed delivery attempts',
  'documents analysed',
] as const;
export type Counted = (typeof COUNTED)[number];

export interface DailyCountRow {
  /** A day or a month in UTC: `2026-01-31`, `2026-01`. */
  period: string;
  name: Counted;
  count: number;
}

export const DAYS_KEPT = 400;

/** Adds to the counts of a day and its month, and deletes counts from before a given day. */
export async function addDailyCounts(
  trx: Transaction,
  day: string,
  counts: ReadonlyMap<Counted, number>,
  forgottenBefore: string,
): Promise<void> {
  // In a fixed order, against deadlocks between processes.
  for (const period of [day.slice(0, '2026-01'.length), day])
    for (const name of COUNTED.filter((one) => counts.has(one)))
      await trx.raw(
        `insert into daily_counts (period, name, count) values (?, ?, ?)
         on conflict (period, name) do update set count = daily_counts.count + excluded.count`,
        [period, name, counts.get(name) ?? 0],
      );
  await trx('daily_counts').where('period', '<', forgottenBefore).delete();
}

export async function listDailyCounts(db: Database, periods: readonly string[]): Promise<DailyCountRow[]> {
  const rows = await db('daily_counts').whereIn('period', periods);
  // Postgres returns a bigint as text.
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}
