import type { Database } from '../connection/database.ts';
import { prepared } from '../connection/prepared.ts';
import { retried } from '../connection/transactions.ts';

/** The process that performs a periodic duty until its lease ends. */
export interface LeaderRow {
  duty: string;
  leased_by: string;
  leased_until: string;
}

const take = prepared<{ duty: string }>(`
  insert into leaders as held (duty, leased_by, leased_until) values (?, ?, ?)
  on conflict (duty) do update set leased_by = excluded.leased_by, leased_until = excluded.leased_until
    where held.leased_by = excluded.leased_by or held.leased_until <= ?
  returning duty`);

/** Takes or renews the lease of a duty. @returns false while another process holds it */
export async function acquireLeadership(
  db: Database,
  { duty, leased_by, leased_until }: LeaderRow,
  now: Date,
): Promise<boolean> {
  return (await take(db, duty, leased_by, leased_until, now.toISOString())).length === 1;
}

/** Releases the lease early, so that another process can lead at once. */
export async function releaseLeadership(
  db: Database,
  { duty, leased_by }: Pick<LeaderRow, 'duty' | 'leased_by'>,
): Promise<void> {
  await retried(db, () => db('leaders').where({ duty, leased_by }).delete());
}
