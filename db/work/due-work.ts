import type { Database, Transaction } from '../connection/database.ts';
import { prepared } from '../connection/prepared.ts';
import type { ShortTransaction } from '../connection/short-transaction.ts';

/* The queue on SQLite: the ids of due rows, each once. Ids sent in bulk come last. */

const insert = prepared('insert or ignore into due_work (name, id, bulk) select ?, value, ? from json_each(?)');

/** Leaves out ids that are already queued. @param isBulk whether they come last */
export async function insertDueWork(
  on: Transaction | ShortTransaction,
  name: string,
  ids: readonly string[],
  isBulk: boolean,
): Promise<void> {
  await insert(on, name, isBulk ? 1 : 0, JSON.stringify(ids));
}

const take = prepared<{ id: string }>(`
  delete from due_work where place in (
    select place from due_work where name = ? order by bulk, place limit ?)
  returning id`);

/** Takes up to `limit` ids out of the queue. */
export async function takeDueWork(db: Database, name: string, limit: number): Promise<string[]> {
  return (await take(db, name, limit)).map(({ id }) => id);
}
