import { DAY_MS } from '../../core/time.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { retried } from '../connection/transactions.ts';

/** What an API key uses a limited number of times a day. */
export const USES = ['mails', 'kyc verifications', 'eid flows'] as const;
export type Use = (typeof USES)[number];

export interface DailyUseRow {
  /** In UTC: `2026-01-31`. */
  day: string;
  kind: Use;
  api_key_id: string;
  used: number;
  /** When the limit was reached; null before. */
  reached_at: string | null;
}

const dayOf = (moment: Date) => moment.toISOString().slice(0, '2026-01-31'.length);

/** Counts a use, unless the API key has reached its limit of the day. @returns when the next day begins; undefined when it was counted */
export async function countUse(
  trx: Transaction,
  { api_key_id, kind }: Pick<DailyUseRow, 'api_key_id' | 'kind'>,
  limit: number,
  now: Date,
): Promise<Date | undefined> {
  const day = dayOf(now);
  await trx('daily_uses')
    .insert({ day, kind, api_key_id, used: 0, reached_at: null })
    .onConflict(['day', 'kind', 'api_key_id'])
    .ignore();
  const reached_at = trx.raw<string | null>('case when used + 1 >= ? then cast(? as text) end', [
    limit,
    now.toISOString(),
  ]);
  const counted = await trx('daily_uses')
    .where({ day, kind, api_key_id })
    .where('used', '<', limit)
    .update({ used: trx.raw<number>('used + 1'), reached_at });
  return counted === 1 ? undefined : new Date(Date.parse(day) + DAY_MS);
}

/** The API keys that have reached a limit of today, first come first. */
export function listReachedLimits(
  db: Database,
  now: Date,
  limit: number,
): Promise<(Pick<DailyUseRow, 'kind' | 'used'> & { client_id: string })[]> {
  return db('daily_uses')
    .join('api_keys', 'api_keys.id', 'daily_uses.api_key_id')
    .where({ day: dayOf(now) })
    .whereNotNull('reached_at')
    .orderBy('reached_at')
    .limit(limit)
    .select('kind', 'used', 'client_id');
}

/** Deletes the uses of former days. */
export async function deleteFormerUses(db: Database, now: Date): Promise<void> {
  await retried(db, () => db('daily_uses').where('day', '<', dayOf(now)).delete());
}
