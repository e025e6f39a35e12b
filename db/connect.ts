import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type Sqlite from 'better-sqlite3';
import knex, { type Knex } from 'knex';
import type { Config } from '../core/config.ts';
import { migrations } from './migrations/index.ts';
import './rows.ts';

/** The database: everything but this file and the queue is unaware of which one it is. */
export type Database = Knex;

/** Asked for by whoever writes more than once, or writes what depends on what it read. */
export type Transaction = Knex.Transaction;

const BUSY_TIMEOUT_MS = 10_000;
const POOL_SIZE = 10;
const ACQUIRE_TIMEOUT_MS = 30_000;
const MIGRATION_LOCK = 7_305_411;

/** Opens the database and brings its schema up to date. */
export async function connect(settings: Config['database']): Promise<Database> {
  const database = knex({
    ...(settings.dialect === 'sqlite' ? sqlite(settings.file) : postgres(settings.url)),
    acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
    // An error shows its SQL with placeholders: values are personal data, and errors are logged.
    compileSqlOnError: false,
    // What Knex would print it also throws.
    log: { debug() {}, warn() {}, error() {}, deprecate() {} },
  });
  try {
    await migrate(database, settings.dialect);
  } catch (error) {
    await database.destroy();
    throw error;
  }
  return database;
}

/**
 * All pending migrations in one transaction that other processes wait for: a process that is killed halfway leaves
 * neither half a schema nor a lock behind.
 */
async function migrate(database: Database, dialect: Config['database']['dialect']): Promise<void> {
  await database.transaction(async (trx) => {
    if (dialect === 'postgres') await trx.raw('select pg_advisory_xact_lock(?)', [MIGRATION_LOCK]);
    await trx.migrate.latest({ migrationSource: migrations });
  });
}

function sqlite(file: string): Knex.Config {
  mkdirSync(dirname(file), { recursive: true });
  return {
    client: 'better-sqlite3',
    connection: { filename: file },
    useNullAsDefault: true,
    pool: { min: 1, max: 1, afterCreate: prepareSqlite },
  };
}

/**
 * Write-ahead log (readers and the command line do not block the service; a killed process loses nothing it
 * acknowledged), foreign keys on, and patience with other processes. Knex opens every transaction with `BEGIN;`: it is
 * made immediate, because a transaction that reads first and writes later fails when another process wrote in between.
 */
function prepareSqlite(connection: Sqlite.Database, done: (error: unknown, connection: Sqlite.Database) => void): void {
  connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = NORMAL');
  connection.pragma('foreign_keys = ON');
  const prepare = connection.prepare.bind(connection);
  connection.prepare = (sql: string) => prepare(sql === 'BEGIN;' ? 'BEGIN IMMEDIATE;' : sql);
  done(null, connection);
}

function postgres(url: string): Knex.Config {
  return {
    client: 'pg',
    connection: { connectionString: url, application_name: 'tenant-screening' },
    pool: { min: 0, max: POOL_SIZE },
  };
}
