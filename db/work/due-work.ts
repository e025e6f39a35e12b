import type { Database } from '../connection/database.ts';
import { prepared } from '../connection/prepared.ts';

/* The queue on SQLite: the ids of due rows, each once. Ids sent in bulk come last. */

/** Parameters: the kind, the id, whether it is sent in bulk (0 or 1). A no-op when it is already queued. */
export const insertDueWork = prepared('insert or ignore into due_work (name, id, bulk) values (?, ?, ?)');

const take = prepared<{ id: string }>(`
  delete from due_work where place in (
    select place from due_work where name = ? order by bulk, place limit ?)
  returning id`);

/** Takes up to `limit` ids out of the queue. */
export async function takeDueWork(db: Database, name: string, limit: number): Promise<string[]> {
  return (await take(db, name, limit)).map(({ id }) => id);
}
