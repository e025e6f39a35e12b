import { idsOf } from '../../core/ids.ts';
import type { Database } from '../connection/database.ts';
import { type ClaimedWork, claimWork, type Lease, QUEUED } from './work.ts';

/** Another process may claim the same rows first. */
const TRIES = 3;

/** Tables with a column for the API key. */
export type KeyedTable = 'kyc_verifications' | 'eid_flows' | 'forensic_runs';

interface Turn {
  /** The API key whose turn was last. */
  after: string;
  /** API keys that may claim nothing more. */
  busy: readonly string[];
  limit: number;
}

/**
 * Leases the oldest free row of each API key, from the key behind `after` on: a key with a long backlog gets no more turns than a key with
 * one row. The cost depends on the number of rows claimed, not on the backlog, with an index of `(api_key_id, due_at)`.
 */
export async function claimInTurn(
  db: Database,
  table: KeyedTable,
  { after, busy, limit }: Turn,
  lease: Lease,
): Promise<ClaimedWork[]> {
  for (let tries = TRIES; tries > 0; tries--) {
    const ahead = await oldestOfEachKey(db, table, { after, busy, limit }, lease);
    const skipped = [...busy, ...ahead.map(({ api_key_id }) => api_key_id)];
    const missing = limit - ahead.length;
    const turn = { after: '', busy: skipped, limit: missing };
    const around = missing > 0 && after !== '' ? await oldestOfEachKey(db, table, turn, lease) : [];
    const found = [...ahead, ...around];
    if (found.length === 0) return [];
    const claimed = await claimWork(db, table, idsOf(found), lease);
    if (claimed.length > 0) return claimed;
  }
  return [];
}

/** Walks from key to key in the index, instead of reading all rows of each. */
async function oldestOfEachKey(
  db: Database,
  table: KeyedTable,
  { after, busy, limit }: Turn,
  { dueBefore }: Lease,
): Promise<{ api_key_id: string; id: string }[]> {
  const others = busy.length > 0 ? `and api_key_id not in (${busy.map(() => '?').join(', ')})` : '';
  const isFree = 'due_at is not null and (leased_by = ? or due_at <= ?)';
  const free = [QUEUED, dueBefore];
  // Only keys with a free row: keys whose rows are all leased, or due later, must not use up the steps of the walk.
  const next = `select min(api_key_id) from ${table} where ${isFree} ${others} and api_key_id >`;
  return db
    .withRecursive(
      'keys',
      ['api_key_id', 'place'],
      db.raw(
        `select (${next} ?), 1
         union all
         select (${next} keys.api_key_id), place + 1 from keys where keys.api_key_id is not null and place < ?`,
        [...free, ...busy, after, ...free, ...busy, limit],
      ),
    )
    .from('keys')
    .whereNotNull('api_key_id')
    .select<{ api_key_id: string; id: string }[]>(
      'api_key_id',
      db.raw(
        `(select id from ${table} as work where work.api_key_id = keys.api_key_id and ${isFree} order by due_at limit 1) as id`,
        free,
      ),
    );
}
