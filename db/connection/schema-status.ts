import type { Knex } from 'knex';
import { isOlder, VERSION } from '../../core/version.ts';
import { allMigrations, type NamedMigration } from '../migrations/index.ts';
import { dialectOf } from './database.ts';

/** The schema of a database compared with the migrations of this version. */
export interface SchemaStatus {
  /** The last applied migration; null before the first. */
  version: string | null;
  /** Not applied yet, in order. */
  pending: string[];
  /** Applied by a newer version. */
  unknown: string[];
  /** The oldest version of the service that runs on this schema; null when a migration does not say. */
  oldest_version: string | null;
  /** Whether this version runs on it, once nothing is pending. */
  compatible: boolean;
}

/** A newer version has changed the schema so that this one does not run on it. */
export class NewerSchema extends Error {
  constructor({ unknown, oldest_version }: SchemaStatus) {
    const them = `${unknown.length === 1 ? 'migration' : 'migrations'} ${new Intl.ListFormat('en-GB').format(unknown)}`;
    const advice =
      oldest_version === null
        ? 'run that version or a newer one'
        : `which supports versions from ${oldest_version} on, and this is ${VERSION}: upgrade to ${oldest_version} or newer`;
    super(
      `the database is newer than this version of the service: it has the ${them}${oldest_version === null ? '; ' : ', '}${advice}, or ` +
        'restore a backup from before the upgrade. Nothing was changed.',
    );
  }
}

/** The schema is missing or outdated, and the program may not migrate it. */
export class OlderSchema extends Error {
  constructor(version: string | null) {
    super(
      version === null
        ? 'there is nothing of the service in this database yet: is it the right one? Make the schema by the command `db migrate`, or start the service with MIGRATE=true.'
        : 'the schema of this database is that of an earlier version: make a backup, and bring it up to date by the command `db migrate`, or start the service with MIGRATE=true.',
    );
  }
}

/** `oldest_version` is null where the version that applied it did not say. */
export interface Applied {
  name: string;
  oldest_version: string | null;
}

/** Read-only. */
export async function schemaStatus(
  db: Knex,
  migrations: readonly NamedMigration[] = allMigrations,
): Promise<SchemaStatus> {
  const there = await tablesThere(db, ['knex_migrations', 'migration_compatibility']);
  if (!there.includes('knex_migrations')) return statusOf([], migrations);
  const query = db('knex_migrations').orderBy('knex_migrations.id');
  if (there.includes('migration_compatibility')) {
    const applied: Applied[] = await query
      .leftJoin('migration_compatibility', 'migration_compatibility.name', 'knex_migrations.name')
      .select('knex_migrations.name', 'migration_compatibility.oldest_version');
    return statusOf(applied, migrations);
  }
  const names: string[] = await query.pluck('name');
  return statusOf(
    names.map((name) => ({ name, oldest_version: null })),
    migrations,
  );
}

/** Which of these tables exist, in one statement. */
async function tablesThere(db: Knex, names: readonly string[]): Promise<string[]> {
  if (dialectOf(db) === 'sqlite')
    return db('sqlite_master').where({ type: 'table' }).whereIn('name', names).pluck('name');
  return db('pg_tables').whereRaw('schemaname = current_schema()').whereIn('tablename', names).pluck('tablename');
}

export function statusOf(
  applied: readonly Applied[],
  migrations: readonly NamedMigration[] = allMigrations,
): SchemaStatus {
  const names = new Set(applied.map(({ name }) => name));
  const known = new Map(migrations.map(({ name, oldestVersion }) => [name, oldestVersion]));
  const pending = [...known.keys()].filter((name) => !names.has(name));
  const unknown = applied.filter(({ name }) => !known.has(name));
  const declared = applied.map(({ name, oldest_version }) => known.get(name) ?? oldest_version);
  const oldest = declared.reduce<string | null>(
    (newest, version) => (newest === null || version === null ? null : isOlder(newest, version) ? version : newest),
    '0.0.0',
  );
  // Versions whose migrations differ in both directions cannot judge each other.
  const isFit = oldest !== null && !isOlder(VERSION, oldest) && pending.length === 0;
  return {
    version: applied.at(-1)?.name ?? null,
    pending,
    unknown: unknown.map(({ name }) => name),
    oldest_version: applied.length === 0 ? null : oldest,
    compatible: unknown.length === 0 || isFit,
  };
}

/** @throws NewerSchema */
export async function refuseNewerSchema(db: Knex, migrations?: readonly NamedMigration[]): Promise<SchemaStatus> {
  const status = await schemaStatus(db, migrations);
  if (!status.compatible) throw new NewerSchema(status);
  return status;
}

/** @throws NewerSchema, OlderSchema */
export async function expectSchema(db: Knex): Promise<void> {
  const { version, pending } = await refuseNewerSchema(db);
  if (pending.length > 0) throw new OlderSchema(version);
}
