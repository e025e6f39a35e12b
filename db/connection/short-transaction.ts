import type Sqlite from 'better-sqlite3';
import type { Client } from 'pg';
import { type Database, type Dialect, dialectOf } from './connect.ts';
import { type Send, sendToPostgres, sendToSqlite } from './statement.ts';

/**
 * A transaction of prepared statements. To Postgres each goes at once, without waiting for the answers to those before it. One that
 * fails fails the transaction.
 */
export interface ShortTransaction {
  dialect: Dialect;
  send: Send;
  /**
   * Takes what nothing else depends on: the commit goes right behind the statements of it. All of them are sent at once: one that
   * waits for an answer first would come too late.
   */
  last(...work: Promise<unknown>[]): void;
  /** Fulfilled once it is committed. */
  executionPromise: Promise<void>;
}

/** @throws whatever `work` throws, or the first statement that failed; nothing is kept then */
export async function inShortTransaction<Result>(
  db: Database,
  work: (trx: ShortTransaction) => Promise<Result>,
): Promise<Result> {
  const { promise: executionPromise, resolve } = Promise.withResolvers<void>();
  const dialect = dialectOf(db);
  const connection = await db.client.acquireConnection();
  const sent = new Sent(dialect === 'postgres' ? sendToPostgres(connection) : sendToSqlite(connection));
  const { send, last } = sent;
  const run = () => work({ dialect, send, last, executionPromise });
  try {
    const result = await (dialect === 'postgres' ? onPostgres(connection, sent, run) : onSqlite(connection, sent, run));
    resolve();
    return result;
  } finally {
    db.client.releaseConnection(connection);
  }
}

/** All that was sent and is to be looked at before the transaction is over. */
class Sent {
  readonly #send: Send;
  readonly #answers: Promise<unknown>[] = [];
  #failure: { reason: unknown } | undefined;
  #isOver = false;

  constructor(send: Send) {
    this.#send = send;
  }

  readonly send: Send = (statement, values) => {
    if (this.#isOver) throw new Error('A statement comes after the end of its transaction.');
    return this.note(this.#send(statement, values));
  };

  readonly last = (...work: Promise<unknown>[]): void => {
    for (const promise of work) this.note(promise);
  };

  note<Answer>(answer: Promise<Answer>): Promise<Answer> {
    // Looked at in the end.
    answer.catch((reason) => {
      this.#failure ??= { reason };
    });
    this.#answers.push(answer);
    return answer;
  }

  /** Takes no more statements. */
  close(): void {
    this.#isOver = true;
  }

  /** @throws what has failed so far, also without reaching the database */
  check(): void {
    if (this.#failure) throw this.#failure.reason;
  }

  /** @throws the first that failed, once all have been answered */
  async end(): Promise<void> {
    this.close();
    for (const answer of await Promise.allSettled(this.#answers)) if (answer.status === 'rejected') throw answer.reason;
  }
}

async function onPostgres<Result>(client: Client, sent: Sent, work: () => Promise<Result>): Promise<Result> {
  sent.note(client.query('begin'));
  try {
    const result = await work();
    await commit(client, sent);
    await sent.end();
    return result;
  } catch (error) {
    sent.close();
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/**
 * Right behind what was sent last and in one piece with it. Behind a statement that failed, Postgres makes a rollback of it. Of what
 * failed here it knows nothing: that has failed by the next turn, which is waited for.
 */
async function commit(client: Client, sent: Sent): Promise<void> {
  const { stream } = client.connection;
  stream.cork();
  try {
    await new Promise<void>((resolve) => process.nextTick(resolve));
    sent.check();
    sent.note(client.query('commit'));
  } finally {
    stream.uncork();
  }
}

async function onSqlite<Result>(connection: Sqlite.Database, sent: Sent, work: () => Promise<Result>): Promise<Result> {
  connection.prepare('BEGIN IMMEDIATE;').run();
  try {
    const result = await work();
    await sent.end();
    connection.prepare('COMMIT;').run();
    return result;
  } catch (error) {
    sent.close();
    if (connection.inTransaction) connection.prepare('ROLLBACK').run();
    throw error;
  }
}
