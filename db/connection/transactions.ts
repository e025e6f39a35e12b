import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import { openConnections } from './connections.ts';

/** Before another try: between these, longer each time. */
const SHORTEST_MS = 5;
const LONGEST_MS = 100;
/** How often what Postgres refused is tried again; a lock of SQLite is waited for until its time is over. */
const RETRIES = 10;

/**
 * Postgres, by SQLSTATE: a serialization failure, a deadlock, a lock that is not to be had. SQLite: another process is writing. Nothing of
 * the statement or the transaction was kept.
 */
const REFUSED = /^(?:40001|40P01|55P03|SQLITE_BUSY\w*)$/;
/** The connection was refused or ended before an answer. */
const LOST = /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|08...|57P0[123]|53300)$/;
const LOST_MESSAGE = /Connection terminated|Client (?:has encountered a connection error|was closed)/;

/**
 * The one way to a transaction. `work` runs again when the database refused it for what passes, or lost the connection before COMMIT was
 * sent, so it has no effect outside the transaction. In another transaction it is a savepoint, and runs once.
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
      // Knex calls it although BEGIN failed, whose error it throws.
      if (trx.isCompleted()) throw new Error('The transaction did not begin.');
      const result = await work(trx);
      isCommitting = true;
      return result;
    }, config);
  };
  return retried(db, attempt, () => !isCommitting);
}

/**
 * Runs one statement outside a transaction, or what keeps nothing when it fails, again as above.
 * @param mayHaveLost whether a lost connection kept nothing either; a statement alone may have been executed
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
      await wait(Math.min(LONGEST_MS, SHORTEST_MS * 2 ** retries) * (0.5 + Math.random() / 2));
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
