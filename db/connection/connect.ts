import { existsSync } from 'node:fs';
import knex from 'knex';
import type { Config } from '../../core/settings/config.ts';
import {
  type DatabaseLimits,
  PATIENT,
  type PostgresSettings,
  sessionUrlOf,
} from '../../core/settings/database-settings.ts';
import { type Connections, openConnections } from './connections.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { expectUtf8 } from './postgres/encoding.ts';
import { expectSchema, OlderSchema, refuseNewerSchema } from './schema-status.ts';

/**
 * Opens the database for the service, with the limits of its settings.
 * @param options.mayMigrate brings its schema up to date
 * @throws NewerSchema, OlderSchema without `mayMigrate`
 */
export function connect(settings: Config['database'], { mayMigrate = true } = {}): Promise<Database> {
  const limits = settings.dialect === 'postgres' ? settings.limits : undefined;
  if (!mayMigrate) return openCurrent(settings, limits);
  return openWith(
    settings,
    async (db) => {
      const { pending } = await refuseNewerSchema(db);
      // Uses its own connection, without a statement timeout.
      if (pending.length > 0) await (limits ? withDatabase(open(settings), migrate) : migrate(db));
    },
    limits,
  );
}

/** Opens the database for a program that no caller waits for and that must not change the schema. @throws NewerSchema, OlderSchema */
export function connectToCurrent(settings: Config['database']): Promise<Database> {
  return openCurrent(settings);
}

async function openCurrent(settings: Config['database'], limits?: DatabaseLimits): Promise<Database> {
  if (settings.dialect === 'sqlite' && !existsSync(settings.file)) throw new OlderSchema(null);
  return openWith(settings, expectSchema, limits);
}

async function openWith(
  settings: Config['database'],
  prepare: (db: Database) => Promise<unknown>,
  limits?: DatabaseLimits,
): Promise<Database> {
  const database = await open(settings, { limits, mayBePooled: limits !== undefined });
  try {
    if (settings.dialect === 'postgres' && limits) await expectFitRoutes(database, settings);
    await prepare(database);
  } catch (error) {
    await disconnect(database);
    throw error;
  }
  return database;
}

/** Checks the database as a start would, without starting anything. @throws UnfitRoute */
export function examineRoutes(settings: PostgresSettings): Promise<void> {
  const { limits } = settings;
  return withDatabase(open(settings, { limits, mayBePooled: true }), (db) => expectFitRoutes(db, settings));
}

/** @throws UnfitRoute */
async function expectFitRoutes(pooled: Database, settings: PostgresSettings): Promise<void> {
  const { sessionUrl, limits } = settings;
  const isPooled = sessionUrl !== undefined;
  await openConnections.get(pooled)?.expectFitRoute?.({ setting: 'DATABASE_URL', isPooled, limits });
  await expectUtf8(pooled);
  if (!isPooled) return;
  await withDatabase(open(settings, { limits }), async (db) =>
    openConnections.get(db)?.expectFitRoute?.({ setting: 'DATABASE_SESSION_URL', isPooled: false, limits }),
  );
}

interface Opening {
  /** Leaves SQLite's journal mode: WAL is persisted in the file. */
  readOnly?: boolean;
  /** The timeouts for Postgres. */
  limits?: DatabaseLimits | undefined;
  /** Whether no statement needs its own session, so that a pooler may be in between. */
  mayBePooled?: boolean;
}

/** Does not check the schema. */
export async function open(settings: Config['database'], opening: Opening = {}): Promise<Database> {
  const connections = await connectionsFor(settings, opening);
  const db = knex({
    client: settings.dialect === 'sqlite' ? 'better-sqlite3' : 'pg',
    connectionPool: connections.pool,
    useNullAsDefault: true,
    // An error shows its SQL with placeholders: values are personal data, and errors are logged.
    compileSqlOnError: false,
    // Everything Knex would print, it also throws.
    log: { debug() {}, warn() {}, error() {}, deprecate() {} },
  });
  const { limits = PATIENT } = opening;
  // Effectively no statement timeout; the same lock timeout as this connection.
  const openPatient = () => open(settings, { limits: { ...PATIENT, poolSize: 1, lockMs: limits.lockMs } });
  openConnections.set(db, settings.dialect === 'postgres' ? { ...connections, openPatient } : connections);
  return db;
}

/** Imports only the driver in use. */
async function connectionsFor(
  settings: Config['database'],
  { readOnly = false, limits = PATIENT, mayBePooled = false }: Opening,
): Promise<Connections> {
  if (settings.dialect === 'postgres') {
    const { postgresConnections } = await import('./postgres.ts');
    const isPooled = mayBePooled && settings.sessionUrl !== undefined;
    return postgresConnections(isPooled ? settings.url : sessionUrlOf(settings), limits, isPooled);
  }
  return (await import('./sqlite.ts')).sqliteConnections(settings, { readOnly });
}

/** Closes what `open` opened; Knex's own `destroy` does not close a pool that it was given. Idempotent. */
export async function disconnect(db: Database): Promise<void> {
  const connections = openConnections.get(db);
  // Before closing, because a query in between would reopen SQLite's reader.
  if (connections)
    openConnections.set(db, { ...connections, read: refuse, hold: refuse, transact: refuse, close: async () => {} });
  await connections?.close();
  await db.destroy();
}

async function refuse(): Promise<never> {
  throw new Error('The database connections are closed.');
}

/** Opens a database for one task and always closes it. */
export async function withDatabase<Result>(
  opening: Promise<Database>,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const db = await opening;
  try {
    return await work(db);
  } finally {
    await disconnect(db);
  }
}
