import { migrations } from '../migrations/index.ts';
import type { Database } from './connect.ts';
import { prepared } from './prepared.ts';

const applied = prepared<{ name: string }>('select name from knex_migrations');

/** Whether the schema is the one of this version; one short read. */
export async function isSchemaKnown(db: Database): Promise<boolean> {
  const names = new Set((await applied(db)).map(({ name }) => name));
  const known = await migrations.getMigrations([]);
  return names.size === known.length && known.every(({ name }) => names.has(name));
}
