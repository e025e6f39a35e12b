import { existsSync } from 'node:fs';
import knex, { type Knex } from 'knex';
import type { Config } from '../../core/settings/config.ts';
import { type DatabaseLimits, PATIENT } from '../../core/settings/database-settings.ts';
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
      // Over a connection of its own, whose statements may take long.
      if (pending.length > 0) await (limits ? withDatabase(open(settings), migrate) : migrate(db));
    },
    limits,
  );
}

/** Opens the database for a program that no caller waits for and that must not change its schema. @throws NewerSchema, OlderSchema */
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
  const database = await open(settings, { limits });
  try {
    await prepare(database);
  } catch (error) {
    await disconnect(database);
    throw error;
  }
  return database;
}

interface Opening {
  /** Leaves SQLite's journal mode: WAL is persisted in the file. */
  readOnly?: boolean;
  /** Of the waits for Postgres. */
  limits?: DatabaseLimits | undefined;
}

/** Without checking the schema. */
export async function open(
  settings: Config['database'],
  { readOnly = false, limits = PATIENT }: Opening = {},
): Promise<Database> {
  const connections = await connectionsFor(settings, readOnly, limits);
  const db = knex({
    client: settings.dialect === 'sqlite' ? 'better-sqlite3' : 'pg',
    connectionPool: connections.pool,
    useNullAsDefault: true,
    // An error shows its SQL with placeholders: values are personal data, and errors are logged.
    compileSqlOnError: false,
    // Whatever Knex would print, it also throws.
    log: { debug() {}, warn() {}, error() {}, deprecate() {} },
  });
  openConnections.set(db, connections);
  return db;
}

/** Imports only the driver in use. */
async function connectionsFor(
  settings: Config['database'],
  readOnly: boolean,
  limits: DatabaseLimits,
): Promise<Connections> {
  if (settings.dialect === 'postgres') return (await import('./postgres.ts')).postgresConnections(settings.url, limits);
  return (await import('./sqlite.ts')).sqliteConnections(settings.file, { readOnly });
}

/** Closes what `open` opened: Knex's own `destroy` leaves a pool alone that it was given. Idempotent. */
export async function disconnect(db: Database): Promise<void> {
  const connections = openConnections.get(db);
  // Before closing: a query meanwhile would reopen SQLite's reader.
  if (connections)
    openConnections.set(db, { ...connections, read: refuse, hold: refuse, transact: refuse, close: async () => {} });
  await connections?.close();
  await db.destroy();
}

async function refuse(): Promise<never> {
  throw new Error('The database connections are closed.');
}

/** Whether a write transaction blocks all other writers, which give up after a while. */
export function hasSingleWriter(db: Database): boolean {
  return dialectOf(db) === 'sqlite';
}

/** Pins one connection, for temporary tables. SQLite has only one anyway, and no write lock is taken for that. */
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

/** A column whose order no index has: the rows that a condition finds are sorted, instead of looking for them along the index of that order. */
export function unindexed(db: Database, column: string) {
  return db.raw("coalesce(??, '')", [column]);
}

/** How many rows a query finds, counted up to a limit: its cost has one, too. */
export function countUpTo(db: Database, query: Knex.QueryBuilder, limit: number): Promise<number> {
  return countRows(db.from(query.clone().select(db.raw('1')).limit(limit).as('some')));
}

/** Counts rows by a column of ids and, if given, one of states. @returns tells the number of an id, in one state or in all */
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

/** Opens a database for one piece of work, and closes it whatever happens. */
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
