import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import knex from 'knex';
import { inBatches } from '../../core/batches.ts';
import { callerContext } from '../../core/correlation.ts';
import { sharedTurns } from '../../core/fair-turns.ts';
import { atNextRound } from '../../core/loop-turns.ts';
import type { SqliteSettings } from '../../core/settings/database-settings.ts';
import { type Connection, type Connections, hold, type Pool, type Send, type Value } from './connections.ts';
import { isSqliteBusy } from './database-errors.ts';
import { fairPool } from './fair-pool.ts';

/** The wait for another process's write lock, which does not block; see `transactions.ts`. */
const LOCK_MS = 10_000;
/** SQLite itself waits synchronously. */
const BUSY_TIMEOUT_MS = 5;
/** A log that grew behind a long reader is cut to this at its next reset, instead of keeping its size forever. */
const MAX_IDLE_LOG_BYTES = 64 * 2 ** 20;
const MAX_STATEMENTS = 500;
/** In pages of 4 KiB, four times SQLite's default: hot pages are rewritten often, and each checkpoint copies them. */
const CHECKPOINT_PAGES = 4_000;
/** A longer turn would delay everything else in this process. */
const MAX_GROUP_SIZE = 16;
/** How many turns of a party may wait: a burst of creations, not a flood. */
const MAX_WAITING = 1_000;
/** How many transactions of one party are committed together. */
const MAX_OF_A_PARTY = MAX_GROUP_SIZE / 2;
const ONE = { atOnce: 1, ofOneParty: 1 };
const TOGETHER = { atOnce: MAX_GROUP_SIZE, ofOneParty: MAX_OF_A_PARTY };
const CHANGES_SCHEMA = /^\s*(create|alter|drop)\b/i;

/**
 * Adds a statement cache (preparing takes several times as long as running), and begins Knex's transactions with a write lock:
 * a deferred transaction that reads first and writes later fails with SQLITE_BUSY when another process wrote in between.
 */
class SqliteConnection extends Sqlite implements Connection {
  // biome-ignore lint/suspicious/noExplicitAny: better-sqlite3 lets the caller of `prepare` declare the row type
  readonly #statements = new Map<string, any>();

  // biome-ignore lint/suspicious/noExplicitAny: as above
  override prepare(source: string): any {
    const sql = source === 'BEGIN;' ? 'BEGIN IMMEDIATE;' : source;
    const cached = this.#statements.get(sql);
    if (cached) return cached;
    // A schema change may change the columns that a cached statement returns.
    if (this.#statements.size === MAX_STATEMENTS || CHANGES_SCHEMA.test(sql)) this.#statements.clear();
    const statement = super.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  readonly send: Send = async ({ sqlite }, values) => {
    const statement: Sqlite.Statement<Value[], never> = this.prepare(sqlite);
    if (statement.reader) return statement.all(...values);
    statement.run(...values);
    return [];
  };

  begin(): Promise<void> {
    return this.#run('BEGIN;');
  }

  commit(): Promise<void> {
    return this.#run('COMMIT;');
  }

  async rollback(): Promise<void> {
    if (this.inTransaction) await this.#run('ROLLBACK');
  }

  /** A savepoint within an open transaction. */
  readonly nested: Connection = {
    send: this.send,
    begin: () => this.#run('SAVEPOINT nested'),
    commit: () => this.#run('RELEASE nested'),
    rollback: async () => {
      if (!this.inTransaction) return;
      await this.#run('ROLLBACK TO nested');
      await this.#run('RELEASE nested');
    },
  };

  #run(sql: string): Promise<void> {
    this.prepare(sql).run();
    return Promise.resolve();
  }
}

type ShortWork = (connection: Connection) => Promise<unknown>;

/**
 * One connection that callers take turns on, and a second one for reads. Creates a missing file.
 * @param readOnly leaves the journal mode alone, because WAL is persisted in the file
 */
export function sqliteConnections(
  { file, turnMs = LOCK_MS }: SqliteSettings,
  { readOnly }: { readOnly: boolean },
): Connections {
  let writer: SqliteConnection | undefined;
  const connections = new knex.KnexPool({
    create: async () => {
      writer = openWriter(file, readOnly);
      return writer;
    },
    destroy: (connection: SqliteConnection) => {
      if (writer === connection) writer = undefined;
      connection.close();
    },
    // A failed COMMIT leaves its transaction open.
    validate: (connection) => !connection.inTransaction,
    min: 1,
    max: 1,
    propagateCreateError: true,
  });
  const waits = { maxWaiting: MAX_WAITING, waitMs: turnMs };
  const pool = fairPool(connections, { ...ONE, waits: { at: 'connections', ...waits } }, { endTurn: atNextRound() });
  const inTurn = sharedTurns({ ...TOGETHER, waits: { at: 'transactions', ...waits } });
  const transact = transactTogether(pool);
  let reader: SqliteConnection | undefined;
  return {
    pool,
    patienceMs: LOCK_MS,
    // Sees each commit immediately and never an open transaction. Each commit invalidates the cache of the reading connection.
    read: async (statement, values) => {
      try {
        if (writer && !writer.inTransaction) return await writer.send(statement, values);
      } catch (error) {
        // Another process may be repairing or truncating the log, so the reading connection waits longer.
        if (!isSqliteBusy(error)) throw error;
      }
      reader ??= new SqliteConnection(file, { readonly: true, timeout: LOCK_MS });
      return reader.send(statement, values);
    },
    hold: (work) => hold(pool, work),
    transact: (work) => inTurn(() => transact(work)),
    close: async () => {
      reader?.close();
      await pool.destroy();
    },
  };
}

/** Short transactions in one turn of the event loop share a commit, which costs more than all their statements. */
function transactTogether(pool: Pool<SqliteConnection>): Connections['transact'] {
  const inGroup = inBatches<ShortWork>((works) => hold(pool, (connection) => together(connection, works)), {
    size: MAX_GROUP_SIZE,
  });
  return async <Result>(work: (connection: Connection) => Promise<Result>) => {
    let result: Promise<Result> | undefined;
    // The batch belongs to none of the requests.
    const inContext = callerContext();
    await inGroup((connection) => {
      result = inContext(work, connection);
      return result;
    });
    if (!result) throw new Error('The transaction was not begun.');
    return result;
  };
}

/**
 * 1. A single transaction uses the connection's; several are savepoints within it.
 * 2. A failed transaction rolls back its own statements. If the database rolled back everything (a full disk), all transactions fail.
 * 3. No transaction is reported as successful before the commit.
 */
async function together(connection: SqliteConnection, works: readonly ShortWork[]): Promise<never[]> {
  const [first, ...others] = works;
  if (first && others.length === 0) {
    await first(connection).catch(() => {});
    return [];
  }
  await connection.begin();
  try {
    for (const work of works)
      await work(connection.nested).catch((error) => {
        if (!connection.inTransaction) throw error;
      });
    await connection.commit();
  } catch (error) {
    await connection.rollback();
    throw error;
  }
  return [];
}

function openWriter(file: string, readOnly: boolean): SqliteConnection {
  makePrivately(file);
  const connection = new SqliteConnection(file, { timeout: LOCK_MS });
  try {
    if (readOnly) connection.pragma('query_only = ON');
    else prepareForWriting(connection);
    connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  } catch (error) {
    connection.close();
    throw error;
  }
  return connection;
}

/** SQLite gives its log and shared memory the mode of the database file, whose own would depend on the umask. */
function makePrivately(file: string): void {
  if (file === ':memory:') return;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
}

function prepareForWriting(connection: SqliteConnection): void {
  // With a write-ahead log, readers do not block the writer, and a killed process loses nothing it acknowledged.
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = NORMAL');
  connection.pragma('foreign_keys = ON');
  connection.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  connection.pragma(`journal_size_limit = ${MAX_IDLE_LOG_BYTES}`);
  // Statement journals are small.
  connection.pragma('temp_store = MEMORY');
  // Deleted personal data is overwritten with zeros.
  connection.pragma('secure_delete = ON');
}
