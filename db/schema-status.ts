import type { Knex } from 'knex';
import { migrations } from './migrations/index.ts';

/** How the schema of a database stands to the migrations that this version knows. */
export interface SchemaStatus {
  /** The last migration that the database has seen; null before the first. */
  version: string | null;
  /** Known here and not yet applied, in order. */
  pending: string[];
  /** Applied by a newer version, and unknown here. */
  unknown: string[];
}

/** A newer version has changed the schema: whatever this one did with it would be a guess. */
export class NewerSchema extends Error {
  constructor(unknown: readonly string[]) {
    super(
      `the database was changed by a newer version of the service, whose ${unknown.length === 1 ? 'migration' : 'migrations'} ` +
        `${listed(unknown)} this version does not know; run that version or a newer one, or restore a backup from before the upgrade.`,
    );
  }
}

/** Changes nothing; a database in which nothing is yet has no version. */
export async function schemaStatus(db: Knex): Promise<SchemaStatus> {
  const isBegun = await db.schema.hasTable('knex_migrations');
  const applied: string[] = isBegun ? await db('knex_migrations').orderBy('id').pluck('name') : [];
  const known = (await migrations.getMigrations([])).map(({ name }) => name);
  return {
    version: applied.at(-1) ?? null,
    pending: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  };
}

/** @throws NewerSchema */
export async function refuseNewerSchema(db: Knex): Promise<void> {
  const { unknown } = await schemaStatus(db);
  if (unknown.length > 0) throw new NewerSchema(unknown);
}

function listed(names: readonly string[]): string {
  const [last, ...others] = names.toReversed();
  return others.length > 0 ? `${others.toReversed().join(', ')} and ${last}` : `${last}`;
}
