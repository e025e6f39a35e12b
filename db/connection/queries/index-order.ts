import type { Knex } from 'knex';
import { type Database, dialectOf, type Transaction } from '../database.ts';
import { inTransaction } from '../transactions.ts';

/*
 * Lists of one value's newest rows, by an index of the value and the order. The planner prefers to walk all rows from the newest on when
 * the value is frequent, and reads every row that is newer than the value's newest row.
 */

interface Walk {
  /** The first columns of the index. */
  columns: readonly [value: string, order: string];
  value: string;
  /** The bounds of the order, both included. */
  from: string | number;
  to: string | number;
}

/** The rows of one value, newest first, by that index alone: no other index serves a row comparison. Use inside `inIndexOrder`. */
export function walkIndex<Rows extends Knex.QueryBuilder>(rows: Rows, { columns, value, from, to }: Walk): Rows {
  const [first, second] = columns;
  rows.whereRaw('(??, ??) >= (?, ?)', [first, second, value, from]);
  rows.whereRaw('(??, ??) <= (?, ?)', [first, second, value, to]);
  rows.orderBy(columns.map((column) => ({ column, order: 'desc' })));
  return rows;
}

/** A comparison of rows looks like a few rows, which would be read whole and sorted. */
export function inIndexOrder<Result>(db: Database, work: (trx: Transaction) => Promise<Result>): Promise<Result> {
  return inTransaction(db, async (trx) => {
    await trx.raw('set local enable_sort = off');
    return work(trx);
  });
}

/** As `inIndexOrder`, for a part of a transaction. SQLite's planner needs no help. */
export async function withoutSorting<Result>(trx: Transaction, work: () => PromiseLike<Result>): Promise<Result> {
  if (dialectOf(trx) === 'sqlite') return work();
  await trx.raw('set local enable_sort = off');
  const result = await work();
  await trx.raw('set local enable_sort = on');
  return result;
}

/** Hides a column's order from the planner: it sorts the matching rows instead of searching for them along the index of that order. */
export function unindexed(db: Database, column: string) {
  return db.raw("coalesce(??, '')", [column]);
}
