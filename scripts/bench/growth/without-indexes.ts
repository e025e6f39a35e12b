import { type Database, dialectOf } from '../../../db/connection/connect.ts';

interface Index {
  name: string;
  sql: string;
}

/** What keeps rows apart stays: constraints need it, and triggers ask it. */
const OTHERS = {
  sqlite: `select name, sql from sqlite_master where type = 'index' and sql is not null and sql not like 'create unique%'`,
  postgres: `select indexname as name, indexdef as sql from pg_indexes
             where schemaname = 'public' and indexdef not like 'CREATE UNIQUE%'`,
};

/** Adds rows without the indexes, and makes them of all rows at once. */
export async function withoutIndexes(db: Database, work: () => Promise<void>): Promise<void> {
  const found: Index[] | { rows: Index[] } = await db.raw(OTHERS[dialectOf(db)]);
  const indexes = 'rows' in found ? found.rows : found;
  for (const { name } of indexes) await db.raw(`drop index ${name}`);
  await work();
  for (const { sql } of indexes) await db.raw(sql);
}
