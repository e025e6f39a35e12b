import { idsOf } from '../../core/ids.ts';
import { DAY_MS, isoAfter } from '../../core/time.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { inTransaction } from '../connection/transactions.ts';
import { dueAt, givenUp, type WorkRow, type WorkTable, workTables } from './work.ts';

/*
 * Work whose lease expired too often. It is not due and has no lease, so no worker gets it; a row here tells operators, and a command releases
 * it. Without one, it is given up.
 */

export interface SetAsideRow {
  id: string;
  /** Its table. */
  kind: WorkTable;
  set_aside_at: string;
}

/** Set aside and still open. */
const OPEN = { finished_at: null, due_at: null };

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
  // A row that is there already was made due by something else than a release.
  await trx('set_aside_work').insert(rows).onConflict('id').merge();
}

/** Newest first. */
export function listSetAside(db: Database, limit: number): Promise<SetAsideRow[]> {
  return db('set_aside_work')
    .orderBy([
      { column: 'set_aside_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(limit);
}

export function findSetAside(db: Database, id: string): Promise<SetAsideRow | undefined> {
  return db('set_aside_work').where({ id }).first();
}

const PAGE = 100;

/** Everything that is set aside, in pages. */
export async function* pagesOfSetAside(db: Database): AsyncGenerator<SetAsideRow[]> {
  for (let after = ''; ; ) {
    const page = await db('set_aside_work').where('id', '>', after).orderBy('id').limit(PAGE);
    const last = page.at(-1);
    if (!last) return;
    yield page;
    after = last.id;
  }
}

/** Makes it due at once, with a full count of expired leases. @returns false when it is not set aside */
export async function releaseSetAside(trx: Transaction, id: string, now: Date): Promise<boolean> {
  const row = await trx('set_aside_work').where({ id }).forUpdate().first();
  if (!row) return false;
  await trx('set_aside_work').where({ id }).delete();
  // Work that ended meanwhile, by an operator for example, stays ended.
  await trx<WorkRow>(row.kind)
    .where({ id, ...OPEN })
    .update({ ...dueAt(now), expiries: 0 });
  return true;
}

/** Long enough for an operator; a person waits for it no longer. */
const KEPT_DAYS = 7;
const GIVEN_UP = `Each worker that had it died, and no operator released it within ${KEPT_DAYS} days.`;

/** Gives up open work that no operator has released in time, and forgets work that has ended or was erased. @returns what was given up */
export async function tidySetAside(db: Database, now: Date): Promise<SetAsideRow[]> {
  const ended: SetAsideRow[] = [];
  for await (const page of pagesOfSetAside(db))
    for (const kind of workTables) {
      const ids = idsOf(page.filter((row) => row.kind === kind));
      if (ids.length > 0) ended.push(...(await inTransaction(db, (trx) => tidyKind(trx, kind, ids, now))));
    }
  return ended;
}

async function tidyKind(trx: Transaction, kind: WorkTable, ids: readonly string[], now: Date): Promise<SetAsideRow[]> {
  // A release waits for the lock, or has deleted the row.
  const rows = await trx('set_aside_work').whereIn('id', ids).orderBy('id').forUpdate();
  const open: string[] = await trx<WorkRow>(kind).whereIn('id', idsOf(rows)).where(OPEN).pluck('id');
  const before = isoAfter(now, -KEPT_DAYS * DAY_MS);
  const late = rows.filter(({ id, set_aside_at }) => set_aside_at < before && open.includes(id));
  await trx<WorkRow>(kind)
    .whereIn('id', idsOf(late))
    .where(OPEN)
    .update(givenUp(kind, GIVEN_UP, now));
  const gone = rows.filter((row) => late.includes(row) || !open.includes(row.id));
  await trx('set_aside_work').whereIn('id', idsOf(gone)).delete();
  return late;
}
