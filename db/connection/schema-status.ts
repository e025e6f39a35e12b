import type { Knex } from 'knex';
import { migrations } from '../migrations/index.ts';

/** The schema of a database compared with the migrations of this version. */
export interface SchemaStatus {
  /** The last applied migration; null before the first. */
  version: string | null;
  /** Not applied yet, in order. */
  pending: string[];
  /** Applied by a newer version. */
  unknown: string[];
}

/** A newer version has changed the schema. */
export class NewerSchema extends Error {
  constructor(unknown: readonly string[]) {
    super(
      `the database was changed by a newer version of the service, whose ${unknown.length === 1 ? 'migration' : 'migrations'} ` +
        `${new Intl.ListFormat('en-GB').format(unknown)} this version does not know; run that version or a newer one, or restore a backup from before the upgrade.`,
    );
  }
}

/** The schema is missing or outdated, and the program may not migrate it. */
export class OlderSchema extends Error {
  constructor(version: string | null) {
    super(
      version === null
        ? 'there is nothing of the service in this database yet: is it the right one? Start the service, or make the schema by the command `db migrate`.'
        : 'the schema of this database is that of an earlier version: make a backup, stop the service, and bring it up to date by the command `db migrate`.',
    );
  }
}

/** Read-only. */
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
export async function refuseNewerSchema(db: Knex): Promise<SchemaStatus> {
  const status = await schemaStatus(db);
  if (status.unknown.length > 0) throw new NewerSchema(status.unknown);
  return status;
}

/** @throws NewerSchema, OlderSchema */
export async function expectSchema(db: Knex): Promise<void> {
  const { version, pending } = await refuseNewerSchema(db);
  if (pending.length > 0) throw new OlderSchema(version);
}
