import { isoAfter } from '../core/time.ts';
import type { Database } from '../db/connect.ts';
import type { WorkTable } from '../db/rows.ts';
import type { Runtime } from './runtime.ts';

/**
 * Does a row's work if nobody else is doing it: `due_at` moves into the future by a conditional update whose row count
 * names the winner, and until then other jobs for the row pass by. If the work throws, the row is due again at once; if
 * the process dies, it is due again when the lease has run out. The work itself ends the row by clearing `due_at`.
 */
export async function withClaim(
  { db, now }: Runtime,
  table: WorkTable,
  id: string,
  leaseSeconds: number,
  work: () => Promise<void>,
): Promise<void> {
  const claimedAt = now();
  const lease = isoAfter(claimedAt, leaseSeconds * 1000);
  const claimed = await workRows(db, table)
    .where({ id })
    .where('due_at', '<=', claimedAt.toISOString())
    .update({ due_at: lease });
  if (claimed === 0) return;
  try {
    await work();
  } catch (error) {
    await workRows(db, table).where({ id, due_at: lease }).update({ due_at: now().toISOString() });
    throw error;
  }
}

/** The part that all tables of work share. */
export function workRows(db: Database, table: WorkTable) {
  return db<{ id: string; due_at: string | null }>(table);
}
