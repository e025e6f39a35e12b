import type { Database, Transaction } from '../connection/connect.ts';
import { prepared } from '../connection/prepared.ts';

/** The queue on SQLite: the ids of rows that are due, each once. Those sent in bulk come last. It is made by the queue, as pg-boss makes its own. */
export async function createDueWork(db: Transaction): Promise<void> {
  await db.raw(
    `create table if not exists due_work (
       place integer primary key autoincrement, name text not null, id text not null, bulk integer not null, unique (name, id))`,
  );
  await db.raw('create index if not exists due_work_in_turn on due_work (name, bulk, place)');
  // The queue of earlier versions, whose rows are due.
  await db.raw('drop table if exists jobs');
}

/** Parameters: the kind, the id, whether it is sent in bulk (0 or 1). A no-op when it waits already. */
export const insertDueWork = prepared('insert or ignore into due_work (name, id, bulk) values (?, ?, ?)');

const take = prepared<{ id: string }>(`
  delete from due_work where place in (
    select place from due_work where name = ? order by bulk, place limit ?)
  returning id`);

/** Takes up to `limit` ids out of the queue. */
export async function takeDueWork(db: Database, name: string, limit: number): Promise<string[]> {
  return (await take(db, name, limit)).map(({ id }) => id);
}
