import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import { isConnectionLost } from '../../core/lost-connections.ts';
import { openConnections } from './connections.ts';
import { type Database, dialectOf, type Transaction } from './database.ts';
import { isLockedOut, isRefused, isSqliteBusy } from './database-errors.ts';

/** Delays between retries; each is longer than the one before. */
const MIN_MS = 5;
const MAX_MS = 100;
/** How often a statement that Postgres refused is retried; waiting for a SQLite lock is bounded by time instead. */
const RETRIES = 10;
/** A single wait for a lock may use up the patience for other refusals, and is repeated within twice that. */
const LOCK_PATIENCE = 2;

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
  const transact = () =>
    db.transaction(async (trx) => {
      // Knex calls it even when BEGIN failed, and then throws that error.
      if (trx.isCompleted()) throw new Error('The transaction did not begin.');
      const result = await work(trx);
      isCommitting = true;
      return result;
    }, config);
  const { inTransactionTurn } = openConnections.get(db) ?? {};
  const attempt = () => {
    isCommitting = false;
    return inTransactionTurn ? inTransactionTurn(transact) : transact();
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
      const passes = isRefused(error) || (isConnectionLost(error) && mayHaveLost());
      const isLate = performance.now() - startedAt > patienceMs * (isLockedOut(error) ? LOCK_PATIENCE : 1);
      if (isLate || !passes || (retries >= RETRIES && !isSqliteBusy(error))) throw error;
      await wait(Math.min(MAX_MS, MIN_MS * 2 ** retries) * (0.5 + Math.random() / 2));
    }
}

/** Requests queue behind a statement that waits for a table lock: after this long, it lets them go first. */
const LOCK_MS = 500;
const PAUSE_MS = 2_000;
/** Another transaction held a table. It has no Postgres error code, on which `inTransaction` would retry at once. */
export class LockedOut extends Error {}

/** Bounds the wait for table locks, and of everything that queues behind it. SQLite has no such locks. @throws LockedOut */
export async function withLockTimeout<Result>(
  trx: Transaction,
  lockMs: number,
  work: () => Promise<Result>,
): Promise<Result> {
  if (dialectOf(trx) === 'postgres') await trx.raw(`set local lock_timeout = ${lockMs}`);
  try {
    return await work();
  } catch (error) {
    throw error instanceof Error && isLockedOut(error) ? new LockedOut(error.message) : error;
  }
}

/** On Postgres: a transaction that changes tables while requests run, and yields to them. @returns undefined when it never got its locks */
export async function givingWay<Result>(
  db: Knex,
  work: (trx: Knex.Transaction) => Promise<Result>,
  { tries = 5, pauseMs = PAUSE_MS } = {},
): Promise<Result | undefined> {
  for (let left = tries; ; left--)
    try {
      return await inTransaction(db, (trx) => withLockTimeout(trx, LOCK_MS, () => work(trx)));
    } catch (error) {
      if (!(error instanceof LockedOut)) throw error;
      if (left <= 1) return undefined;
      await wait(pauseMs * (0.5 + Math.random()));
    }
}
