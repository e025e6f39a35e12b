import type { Database } from './database.ts';
import { prepared } from './prepared.ts';
import { type Applied, statusOf } from './schema-status.ts';

const readApplied = prepared<Applied>(`
  select applied.name, declared.oldest_version from knex_migrations as applied
    left join migration_compatibility as declared on declared.name = applied.name
    order by applied.id`);

/** Whether this version runs on the schema; a single short read. */
export async function isSchemaKnown(db: Database): Promise<boolean> {
  const { pending, compatible } = statusOf(await readApplied(db));
  return compatible && pending.length === 0;
}
