import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type Sqlite from 'better-sqlite3';
import knex, { type Knex } from 'knex';
import type { Client } from 'pg';
import type { Config } from '../../core/settings/config.ts';
import { migrations } from '../migrations/index.ts';
import { expectSchema, OlderSchema, refuseNewerSchema } from './schema-status.ts';

/** The database: everything but this file and the queue is unaware of which one it is. */
export type Database = Knex;

export type Dialect = 'sqlite' | 'postgres';

/** Asked for by whoever writes more than once, or writes what depends on what it read. */
export type Transaction = Knex.Transaction;

const BUSY_TIMEOUT_MS = 10_000;
const POOL_SIZE = 10;
const ACQUIRE_TIMEOUT_MS = 30_000;
const MOST_STATEMENTS = 500;
/** Of 4 KiB, before they are copied from the write-ahead log: four times as many as by default, because much is written again and again. */
const LOG_PAGES = 4_000;
const CHANGES_TABLES = /^\s*(create|alter|drop)\b/i;
/** What processes take turns at. */
const TURNS = { migrating: 7_305_411, chaining: 7_305_412 };
/** Postgres gives 64-bit integers as text. Ours are counts and positions, which a number holds. */
const INT8 = 20;

export function dialectOf(db: Database | Transaction | { dialect: Dialect }): Dialect {
  if ('dialect' in db) return db.dialect;
  return db.client.config.client === 'pg' ? 'postgres' : 'sqlite';
}

/** Opens the database and brings its schema up to date. @throws NewerSchema */
export function connect(settings: Config['database']): Promise<Database> {
  return openWith(settings, migrate);
}

/** Opens the database for those who leave its schema as it is. @throws NewerSchema, OlderSchema */
export async function connectToCurrent(settings: Config['database']): Promise<Database> {
  if (settings.dialect === 'sqlite' && !existsSync(settings.file)) throw new OlderSchema(null);
  return openWith(settings, expectSchema);
}

async function openWith(settings: Config['database'], prepare: (db: Database) => Promise<unknown>): Promise<Database> {
  const database = open(settings);
  try {
    await prepare(database);
  } catch (error) {
    await database.destroy();
    throw error;
  }
  return database;
}

/**
 * Opens the database without checking its schema. On SQLite, creates a missing file.
 * @param readOnly does not set SQLite's journal mode, because WAL is persisted in the file
 */
export function open(settings: Config['database'], { readOnly = false } = {}): Database {
  return knex({
    ...(settings.dialect === 'sqlite' ? sqlite(settings.file, readOnly) : postgres(settings.url)),
    acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
    // An error shows its SQL with placeholders: values are personal data, and errors are logged.
    compileSqlOnError: false,
    // What Knex would print it also throws.
    log: { debug() {}, warn() {}, error() {}, deprecate() {} },
  });
}

/**
 * All pending migrations in one transaction that other processes wait for: a process that is killed halfway leaves
 * neither half a schema nor a lock behind.
 * @returns what was applied
 * @throws NewerSchema
 */
export async function migrate(database: Database): Promise<string[]> {
  return database.transaction(async (trx) => {
    await takeTurn(trx, 'migrating');
    await refuseNewerSchema(trx);
    const [, applied]: [number, string[]] = await trx.migrate.latest({ migrationSource: migrations });
    return applied;
  });
}

/** Others who want the same turn wait until the transaction ends. On SQLite every transaction that writes is alone anyway. */
export async function takeTurn(trx: Transaction, turn: keyof typeof TURNS): Promise<void> {
  if (dialectOf(trx) === 'postgres') await trx.raw('select pg_advisory_xact_lock(?)', [TURNS[turn]]);
}

/** Whether a transaction that writes keeps all others from writing, who give up after a while. */
export function writesAlone(db: Database): boolean {
  return dialectOf(db) === 'sqlite';
}

/** Work with temporary tables, which only their connection has. On SQLite there is but one, and no lock is taken for that. */
export function onOneConnection<Result>(db: Database, work: (db: Database) => Promise<Result>): Promise<Result> {
  return dialectOf(db) === 'postgres' ? db.transaction(work) : work(db);
}

/**
 * What reads rows from one parameter, a JSON array of objects. With a parameter for each value, a large insert would take several
 * times the memory.
 */
export function rowsOfJson(dialect: Dialect, columns: Record<string, string>): string {
  const isPostgres = dialect === 'postgres';
  const described = Object.entries(columns).map(([name, type]) =>
    isPostgres ? `${name} ${type}` : `value ->> '${name}'`,
  );
  return isPostgres
    ? `select * from json_to_recordset(?) as given (${described.join(', ')})`
    : `select ${described.join(', ')} from json_each(?)`;
}

function sqlite(file: string, readOnly: boolean): Knex.Config {
  mkdirSync(dirname(file), { recursive: true });
  return {
    client: 'better-sqlite3',
    connection: { filename: file },
    useNullAsDefault: true,
    pool: { min: 1, max: 1, afterCreate: readOnly ? prepareReadOnly : prepareSqlite },
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
  connection.pragma(`wal_autocheckpoint = ${LOG_PAGES}`);
  // What a statement notes down to be taken back is small.
  connection.pragma('temp_store = MEMORY');
  // What is deleted is overwritten with zeros.
  connection.pragma('secure_delete = ON');
  keepStatements(connection);
  done(null, connection);
}

/**
 * A connection of SQLite's that only reads: what is committed is seen there at once, also while a transaction is under way on the
 * connection that writes. They are closed together.
 */
export async function openReader(db: Database): Promise<Sqlite.Database> {
  const { default: Sqlite } = await import('better-sqlite3');
  const reader = new Sqlite(db.client.connectionSettings.filename, { readonly: true, timeout: BUSY_TIMEOUT_MS });
  keepStatements(reader);
  // Not waited for: it may be busy for as long as whoever asks for the reader holds it.
  db.client.acquireConnection().then(
    (writer: Sqlite.Database) => {
      const close = writer.close.bind(writer);
      writer.close = () => {
        reader.close();
        return close();
      };
      db.client.releaseConnection(writer);
    },
    () => reader.close(),
  );
  return reader;
}

/** To prepare a statement takes several times as long as to run it. */
function keepStatements(connection: Sqlite.Database): void {
  const prepare = connection.prepare.bind(connection);
  // biome-ignore lint/suspicious/noExplicitAny: whoever asks for a statement says what its rows are
  const kept = new Map<string, any>();
  connection.prepare = (given: string) => {
    const sql = given === 'BEGIN;' ? 'BEGIN IMMEDIATE;' : given;
    const found = kept.get(sql);
    if (found) return found;
    // What a statement returns may be something else once tables have changed.
    if (kept.size === MOST_STATEMENTS || CHANGES_TABLES.test(sql)) kept.clear();
    const statement = prepare(sql);
    kept.set(sql, statement);
    return statement;
  };
}

function prepareReadOnly(
  connection: Sqlite.Database,
  done: (error: unknown, connection: Sqlite.Database) => void,
): void {
  connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  connection.pragma('query_only = ON');
  done(null, connection);
}

function postgres(url: string): Knex.Config {
  // Statements need not wait for the answers to those before them.
  const connection = { connectionString: url, application_name: 'tenant-screening', pipeline: true };
  return {
    client: 'pg',
    connection,
    pool: { min: 0, max: POOL_SIZE, afterCreate: preparePostgres },
  };
}

function preparePostgres(client: Client, done: (error: unknown, client: Client) => void): void {
  client.setTypeParser(INT8, Number);
  done(null, client);
}
