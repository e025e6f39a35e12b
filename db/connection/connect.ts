import { existsSync } from 'node:fs';
import knex, { type Knex } from 'knex';
import type { Config } from '../../core/settings/config.ts';
import {
  type DatabaseLimits,
  PATIENT,
  type PostgresSettings,
  sessionUrlOf,
} from '../../core/settings/database-settings.ts';
import { type Connections, openConnections } from './connections.ts';
import { migrate } from './migrate.ts';
import { expectSchema, OlderSchema, refuseNewerSchema } from './schema-status.ts';

/** Only this room and the queue know which of the two databases it is. */
export type Database = Knex;

export type Dialect = 'sqlite' | 'postgres';

/** Required by code that writes more than once, or writes what depends on what it read. */
export type Transaction = Knex.Transaction;

export function dialectOf(db: Database | Transaction | { dialect: Dialect }): Dialect {
  if ('dialect' in db) return db.dialect;
  return db.client.config.client === 'pg' ? 'postgres' : 'sqlite';
}

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
  // Without a statement timeout to speak of; another process in the way is waited for no longer than here.
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
  return (await import('./sqlite.ts')).sqliteConnections(settings.file, { readOnly });
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

/** Whether a write transaction blocks all other writers, which time out after a while. */
export function hasSingleWriter(db: Database): boolean {
  return dialectOf(db) === 'sqlite';
}

/** Pins one connection, for temporary tables. SQLite has only one anyway and takes no write lock for this. */
export function withOneConnection<Result>(db: Database, work: (db: Database) => Promise<Result>): Promise<Result> {
  return dialectOf(db) === 'postgres' ? db.transaction(work) : work(db);
}

/** How many rows a query finds. */
export async function countRows(query: {
  count(all: { count: '*' }): PromiseLike<{ count?: string | number }[]>;
}): Promise<number> {
  const [row] = await query.count({ count: '*' });
  return Number(row?.count ?? 0);
}

/** Hides a column's order from the planner: it sorts the matching rows instead of searching for them along the index of that order. */
export function unindexed(db: Database, column: string) {
  return db.raw("coalesce(??, '')", [column]);
}

/** Counts the rows of a query up to a limit, which also bounds the cost. */
export function countUpTo(db: Database, query: Knex.QueryBuilder, limit: number): Promise<number> {
  return countRows(db.from(query.clone().select(db.raw('1')).limit(limit).as('some')));
}

/** Counts rows by a column of ids and, if given, one of states. @returns a function that gives the count of an id, in one state or in all */
export async function countGroups(
  query: Knex.QueryBuilder,
  id: string,
  state?: string,
): Promise<(id: unknown, state?: string) => number> {
  const columns = state === undefined ? { id } : { id, state };
  const rows: { id: unknown; state?: string; count: number | string }[] = await query
    .groupBy(Object.values(columns))
    .select(columns)
    .count({ count: '*' });
  const byId = Map.groupBy(rows, (row) => row.id);
  return (wanted, inState) =>
    (byId.get(wanted) ?? [])
      .filter((row) => inState === undefined || row.state === inState)
      .reduce((sum, { count }) => sum + Number(count), 0);
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

/** A condition for any number of ids: `whereIn` fails with more than a statement may have parameters, 32,766 on SQLite. */
export function among(db: Database, column: string, ids: readonly string[]) {
  return (rows: Knex.QueryBuilder) =>
    void (dialectOf(db) === 'postgres'
      ? rows.whereRaw('?? = any(?)', [column, [...ids]])
      : rows.whereRaw('?? in (select value from json_each(?))', [column, JSON.stringify(ids)]));
}

/** SQL that reads rows from one parameter, a JSON array of objects: one parameter per value takes several times the memory. */
export function rowsOfJson(dialect: Dialect, columns: Record<string, string>): string {
  const isPostgres = dialect === 'postgres';
  const described = Object.entries(columns).map(([name, type]) =>
    isPostgres ? `${name} ${type}` : `value ->> '${name}'`,
  );
  return isPostgres
    ? `select * from json_to_recordset(?) as given (${described.join(', ')})`
    : `select ${described.join(', ')} from json_each(?)`;
}
