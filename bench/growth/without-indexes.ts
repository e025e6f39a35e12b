import { type Database, dialectOf } from '../../db/connection/database.ts';

interface Index {
  name: string;
  sql: string;
}

/** Unique indexes stay, because constraints and triggers need them. */
const OTHERS = {
  sqlite: `select name, sql from sqlite_master where type = 'index' and sql is not null and sql not like 'create unique%'`,
  postgres: `select indexname as name, indexdef as sql from pg_indexes
             where schemaname = 'public' and indexdef not like 'CREATE UNIQUE%'
               and not exists (select from pg_class where relname = indexname and relispartition)`,
};

/** Adds rows without the indexes, and builds them afterwards over all rows. */
export async function withoutIndexes(db: Database, work: () => Promise<void>): Promise<void> {
  const found: Index[] | { rows: Index[] } = await db.raw(OTHERS[dialectOf(db)]);
  const indexes = 'rows' in found ? found.rows : found;
  for (const { name } of indexes) await db.raw(`drop index ${name}`);
  await work();
  // For a partitioned table, Postgres reports the definition that would index only the parent.
  for (const { sql } of indexes) await db.raw(sql.replace(' ON ONLY ', ' ON '));
}
