import { existsSync, statSync } from 'node:fs';
import type { Config } from '../../core/settings/config.ts';
import { type Database, disconnect, open } from './connect.ts';
import { countMainRows } from './main-rows.ts';
import { schemaStatus } from './schema-status.ts';

/** What an operator wants to know of a database. */
export interface DatabaseFacts {
  dialect: 'sqlite' | 'postgres';
  /** Without a user or password. */
  location: string;
  schema_version: string | null;
  pending: string[];
  unknown: string[];
  size_bytes: number;
  /** Of the main tables, as far as they are there. */
  rows: Record<string, number>;
}

/** Looks at a database of whatever version, and changes nothing: a file that is not there is not made. */
export async function databaseFacts(settings: Config['database']): Promise<DatabaseFacts> {
  const isThere = settings.dialect === 'postgres' || existsSync(settings.file);
  // In memory, nothing is there either.
  const db = await open(isThere ? settings : { dialect: 'sqlite', file: ':memory:' }, { readOnly: true });
  try {
    const { version: schema_version, ...status } = await schemaStatus(db);
    const { dialect } = settings;
    const size_bytes = await sizeOf(db, settings);
    return {
      dialect,
      location: locationOf(settings),
      schema_version,
      ...status,
      size_bytes,
      rows: await countMainRows(db),
    };
  } finally {
    await disconnect(db);
  }
}

async function sizeOf(db: Database, settings: Config['database']): Promise<number> {
  if (settings.dialect === 'sqlite')
    return ['', '-wal'].reduce(
      (sum, end) => sum + (statSync(settings.file + end, { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
  const { rows } = await db.raw<{ rows: { size: number }[] }>('select pg_database_size(current_database()) as size');
  return rows[0]?.size ?? 0;
}

/** Without a user or password. */
export function locationOf(settings: Config['database']): string {
  if (settings.dialect === 'sqlite') return settings.file;
  const { host, pathname } = new URL(settings.url);
  return `${host}${pathname}`;
}

/** The clock of a Postgres server. */
export async function readDatabaseClock(db: Database): Promise<Date | undefined> {
  const { rows } = await db.raw<{ rows: { at: Date }[] }>('select clock_timestamp() as at');
  return rows[0]?.at;
}
