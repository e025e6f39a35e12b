import { type Connection, openConnections, type Send } from './connections.ts';
import { type Database, type Dialect, dialectOf } from './database.ts';
import { isFromPostgres } from './database-errors.ts';
import { retried } from './transactions.ts';

/** Prepared statements in a transaction, pipelined on Postgres. A failed statement fails the transaction. */
export interface ShortTransaction {
  dialect: Dialect;
  send: Send;
  /** Registers statements whose answers `work` does not await. COMMIT is pipelined right behind them, so issue them synchronously. */
  last(...answers: Promise<unknown>[]): void;
  /** Fulfilled after the commit. */
  executionPromise: Promise<void>;
}

/**
 * Retries `work` after transient failures, as `inTransaction` does.
 * 1. BEGIN, without waiting for the answer.
 * 2. The statements of `work`, as it issues them.
 * 3. On SQLite, wait for all answers, because nothing is pipelined. On Postgres, wait one tick for promises rejected in this process, which
 *    Postgres does not see.
 * 4. COMMIT, in one write with the last statements. Postgres turns it into a rollback behind a failed statement.
 * 5. Wait for all answers.
 * @throws the error of `work`, or of the first statement that failed; nothing is kept then
 */
export async function inShortTransaction<Result>(
  db: Database,
  work: (trx: ShortTransaction) => Promise<Result>,
): Promise<Result> {
  const connections = openConnections.get(db);
  if (!connections) throw new Error('A short transaction needs a database that `open` returned.');
  const dialect = dialectOf(db);
  let sent: Sent | undefined;
  const attempt = async () => {
    const { promise: executionPromise, resolve } = Promise.withResolvers<void>();
    const result = await connections.transact((connection) => {
      const statements = new Sent(connection.send);
      sent = statements;
      const { send, last } = statements;
      return allOrNothing(connection, statements, dialect, () => work({ dialect, send, last, executionPromise }));
    });
    resolve();
    return result;
  };
  return retried(db, attempt, () => !sent?.mayHaveCommitted);
}

async function allOrNothing<Result>(
  connection: Connection,
  sent: Sent,
  dialect: Dialect,
  work: () => Promise<Result>,
): Promise<Result> {
  sent.note(connection.begin());
  try {
    const result = await work();
    if (dialect === 'sqlite') await sent.end();
    else await new Promise<void>((resolve) => process.nextTick(resolve));
    sent.check();
    sent.noteCommit(connection.commit());
    await sent.end();
    return result;
  } catch (error) {
    sent.close();
    await connection.rollback();
    // Statements after a failed one fail only because of it.
    sent.check();
    throw error;
  }
}

/** The statements of one transaction, whose answers are checked before it ends. */
class Sent {
  readonly #send: Send;
  readonly #answers: Promise<unknown>[] = [];
  #failure: { reason: unknown; isOfCommit: boolean } | undefined;
  #closed = false;
  #isCommitting = false;

  constructor(send: Send) {
    this.#send = send;
  }

  readonly send: Send = (statement, values) => {
    if (this.#closed) throw new Error('A statement comes after the end of its transaction.');
    return this.note(this.#send(statement, values));
  };

  readonly last = (...answers: Promise<unknown>[]): void => {
    for (const answer of answers) this.note(answer);
  };

  note<Answer>(answer: Promise<Answer>): Promise<Answer> {
    this.#noteAnswer(answer, false);
    return answer;
  }

  noteCommit(answer: Promise<unknown>): void {
    this.#isCommitting = true;
    this.#noteAnswer(answer, true);
  }

  #noteAnswer(answer: Promise<unknown>, isOfCommit: boolean): void {
    answer.catch((reason) => {
      this.#failure ??= { reason, isOfCommit };
    });
    this.#answers.push(answer);
  }

  /** Not behind a statement that Postgres answered with an error, even one that ended the session. */
  get mayHaveCommitted(): boolean {
    const isKnownBefore = this.#failure?.isOfCommit === false && isFromPostgres(this.#failure.reason);
    return this.#isCommitting && !isKnownBefore;
  }

  close(): void {
    this.#closed = true;
  }

  /** @throws the first failure so far */
  check(): void {
    if (this.#failure) throw this.#failure.reason;
  }

  /** @throws the first failure, once every statement has been answered */
  async end(): Promise<void> {
    this.close();
    for (const answer of await Promise.allSettled(this.#answers)) if (answer.status === 'rejected') throw answer.reason;
  }
}
