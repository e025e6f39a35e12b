import { idsOf } from '../../core/ids.ts';
import { DAY_MS, isoAfter } from '../../core/time.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { dueAt, type WorkRow, type WorkTable, workTables } from './work.ts';

/*
 * Work whose lease expired too often. It is not due and has no lease, so no worker gets it; a row here tells operators, and a command releases
 * it.
 */

export interface SetAsideRow {
  id: string;
  /** Its table. */
  kind: WorkTable;
  set_aside_at: string;
}

/** @param ids of rows that the transaction has locked */
export async function setWorkAside(
  trx: Transaction,
  kind: WorkTable,
  ids: readonly string[],
  now: Date,
): Promise<void> {
  if (ids.length === 0) return;
  await trx<WorkRow>(kind).whereIn('id', ids).update(dueAt(null));
  const rows = ids.map((id) => ({ id, kind, set_aside_at: now.toISOString() }));
  await trx('set_aside_work').insert(rows).onConflict('id').ignore();
}

/** Longest aside first. */
export function listSetAside(db: Database, limit: number): Promise<SetAsideRow[]> {
  return db('set_aside_work').orderBy(['set_aside_at', 'id']).limit(limit);
}

/** Makes it due at once, with a full count of expired leases. @returns false when it is not set aside */
export async function releaseSetAside(trx: Transaction, id: string, now: Date): Promise<boolean> {
  const row = await trx('set_aside_work').where({ id }).forUpdate().first();
  if (!row) return false;
  await trx('set_aside_work').where({ id }).delete();
  // Work that ended meanwhile, by an operator for example, stays ended.
  await trx<WorkRow>(row.kind)
    .where({ id, finished_at: null, due_at: null })
    .update({ ...dueAt(now), expiries: 0 });
  return true;
}

const KEPT_MS = 30 * DAY_MS;
const MAX_ROWS_PER_PASS = 100;

/** Forgets work that ended otherwise, was erased, or that no one has released for a month. */
export async function tidySetAside(trx: Transaction, now: Date): Promise<void> {
  const old = isoAfter(now, -KEPT_MS);
  const rows = await listSetAside(trx, MAX_ROWS_PER_PASS);
  for (const kind of workTables) {
    const of = rows.filter((row) => row.kind === kind);
    if (of.length === 0) continue;
    const left = await trx<WorkRow>(kind)
      .whereIn('id', idsOf(of))
      .where({ finished_at: null, due_at: null })
      .pluck('id');
    const gone = of.filter(({ id, set_aside_at }) => set_aside_at < old || !left.includes(id));
    await trx('set_aside_work').whereIn('id', idsOf(gone)).delete();
  }
}
