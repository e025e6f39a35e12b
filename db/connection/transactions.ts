import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import { openConnections } from './connections.ts';
import { type Database, dialectOf } from './database.ts';

/** Delays between retries; each is longer than the one before. */
const MIN_MS = 5;
const MAX_MS = 100;
/** How often a statement that Postgres refused is retried; waiting for a SQLite lock is bounded by time instead. */
const RETRIES = 10;

/**
 * Postgres, by SQLSTATE: a serialization failure, a deadlock, an unavailable lock. SQLite: another process is writing. Nothing of the
 * statement or transaction was kept.
 */
const REFUSED = /^(?:40001|40P01|55P03|SQLITE_BUSY\w*)$/;
/** The connection was refused, or ended before an answer. */
const LOST = /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|08...|57P0[123]|53300)$/;
const LOST_MESSAGE = /Connection terminated|Client (?:has encountered a connection error|was closed)/;

/**
 * The only way to open a transaction. `work` runs again after a transient refusal, or when the connection was lost before COMMIT was sent,
 * so it must have no effect outside the transaction. Inside another transaction it is a savepoint and runs once.
 */
export function inTransaction<Result>(
  db: Knex,
  work: (trx: Knex.Transaction) => Promise<Result>,
  config?: Knex.TransactionConfig,
): Promise<Result> {
  let isCommitting = false;
  const attempt = () => {
    isCommitting = false;
    return db.transaction(async (trx) => {
      // Knex calls it even when BEGIN failed, and then throws that error.
      if (trx.isCompleted()) throw new Error('The transaction did not begin.');
      const result = await work(trx);
      isCommitting = true;
      return result;
    }, config);
  };
  return retried(db, attempt, () => !isCommitting);
}

/** Pins one connection, for temporary tables. SQLite has only one anyway and takes no write lock for this. */
export function withOneConnection<Result>(db: Database, work: (db: Database) => Promise<Result>): Promise<Result> {
  return dialectOf(db) === 'postgres' ? db.transaction(work) : work(db);
}

/**
 * Runs one statement outside a transaction, or work that keeps nothing when it fails, with the same retries.
 * @param mayHaveLost whether to retry after a lost connection too; a lone statement may already have been executed
 */
export async function retried<Result>(
  db: Knex,
  attempt: () => PromiseLike<Result>,
  mayHaveLost = () => false,
): Promise<Result> {
  const patienceMs = openConnections.get(db)?.patienceMs ?? 0;
  const startedAt = performance.now();
  for (let retries = 0; ; retries++)
    try {
      return await attempt();
    } catch (error) {
      const isLate = performance.now() - startedAt > patienceMs;
      const passes = isRefused(error) || (isLost(error) && mayHaveLost());
      if (isLate || !passes || (retries >= RETRIES && !isSqliteBusy(error))) throw error;
      await wait(Math.min(MAX_MS, MIN_MS * 2 ** retries) * (0.5 + Math.random() / 2));
    }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function isRefused(error: unknown): boolean {
  return REFUSED.test(codeOf(error));
}

export function isSqliteBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY');
}

function isLost(error: unknown): boolean {
  return LOST.test(codeOf(error)) || (error instanceof Error && LOST_MESSAGE.test(error.message));
}

/** Requests queue behind a statement that waits for a table lock: after this long, it lets them go first. */
const LOCK_MS = 500;
const PAUSE_MS = 2_000;
/** The code of Postgres when a lock was not available in time. */
export const LOCK_NOT_AVAILABLE = '55P03';

/** Omits the Postgres error code, on which `inTransaction` would retry at once. */
class LockedOut extends Error {}

/** On Postgres: a transaction that changes tables while requests run, and yields to them. @returns undefined when it never got its locks */
export async function givingWay<Result>(
  db: Knex,
  work: (trx: Knex.Transaction) => Promise<Result>,
  { tries = 5, pauseMs = PAUSE_MS } = {},
): Promise<Result | undefined> {
  for (let left = tries; ; left--)
    try {
      return await inTransaction(db, async (trx) => {
        await trx.raw(`set local lock_timeout = ${LOCK_MS}`);
        return await work(trx).catch(refusingLocks);
      });
    } catch (error) {
      if (!(error instanceof LockedOut)) throw error;
      if (left <= 1) return undefined;
      await wait(pauseMs * (0.5 + Math.random()));
    }
}

function refusingLocks(error: unknown): never {
  const isLocked = error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE;
  throw isLocked ? new LockedOut(error.message) : error;
}
