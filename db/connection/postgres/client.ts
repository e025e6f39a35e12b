import type { X509Certificate } from 'node:crypto';
import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { Client, DatabaseError, Query, type QueryResult } from 'pg';
import { currentParty } from '../../../core/correlation.ts';
import { isConnectionLost } from '../../../core/lost-connections.ts';
import type { Party } from '../../../core/party.ts';
import type { DatabaseLimits } from '../../../core/settings/database-settings.ts';
import type { Connection, Send, Statement, Value } from '../connections.ts';
import { isUnprepared } from '../database-errors.ts';
import { AnswerLimit } from './answer-limit.ts';

/** Calls back when the party may continue at the event loop, which may be at once. */
export type ContinueFor = (party: Party, next: () => void) => void;

/** Postgres sends 64-bit integers as text. Ours are counts and positions, which a number holds exactly. */
const INT8 = 20;
const KEEP_ALIVE_MS = 10_000;
/** The share of the answer timeout that the statement itself may take. */
const SERVER_SHARE = 0.9;

/** Session settings that bound each wait, in milliseconds. */
export function sessionLimits({ queryMs, lockMs, idleMs }: Pick<DatabaseLimits, 'queryMs' | 'lockMs' | 'idleMs'>) {
  return {
    statement_timeout: queryMs * SERVER_SHARE,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleMs,
  };
}

/**
 * Pipelines statements. A connection on which an answer takes too long is closed, which fails everything else that waits there. Postgres
 * cancels its statements a little sooner, so that the connection survives.
 */
export class PipelinedClient extends Client implements Connection {
  usable = true;
  readonly #socket: Socket;
  readonly #answers: AnswerLimit;
  readonly #continueFor: ContinueFor;

  /** As the server reported at the start. An undeclared property of pg. */
  declare readonly processID: number | null;

  /**
   * @param sendsLimits false for a pooler, which refuses settings of a session
   * @param continueFor what continues with the answers to Knex's statements
   */
  constructor(
    url: string,
    { connectMs, queryMs, lockMs, idleMs }: DatabaseLimits,
    sendsLimits: boolean,
    continueFor: ContinueFor = (_party, next) => next(),
  ) {
    const socket = new Socket();
    super({
      connectionString: url,
      stream: () => socket,
      application_name: 'tenant-screening',
      pipeline: true,
      connectionTimeoutMillis: connectMs,
      ...(sendsLimits ? sessionLimits({ queryMs, lockMs, idleMs }) : {}),
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    });
    this.#socket = socket;
    this.#continueFor = continueFor;
    this.#answers = new AnswerLimit(queryMs, (error) => this.connection.stream.destroy(error));
    this.setTypeParser(INT8, Number);
    const discard = () => {
      this.usable = false;
    };
    this.on('error', discard);
    this.on('end', discard);
  }

  /** Undefined without TLS, whose stream replaces our socket. */
  get serverCertificate(): X509Certificate | undefined {
    const { stream } = this.connection;
    return stream instanceof TLSSocket ? stream.getPeerX509Certificate() : undefined;
  }

  readonly send: Send = async <Row>(statement: Statement, values: readonly Value[]) => {
    this.#gather();
    try {
      return await this.#answerTo<Row>((done) => new NamedQuery(statement, values, done));
    } catch (error) {
      if (!isAnswer(error)) this.usable = false;
      // pg's error stack begins at the socket; this one names the caller.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  };

  #answerTo<Row>(queryFor: (done: Done) => Query): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      const answered = this.#answers.sent();
      const take: Done = (error, result) => {
        answered();
        if (error) reject(error);
        else resolve(result.rows);
      };
      super.query(queryFor(take));
    });
  }

  /** Every query that is not `#answerTo`'s, such as Knex's. */
  // biome-ignore lint/suspicious/noExplicitAny: pg declares an overload for each form of a query
  override query(config: any, values?: any, callback?: any): any {
    const answered = this.#answers.sent();
    const given = typeof values === 'function' ? values : callback;
    if (!given) return super.query(config, values).finally(answered);
    const party = currentParty();
    return super.query(config, given === values ? undefined : values, (error: Error, result: QueryResult) => {
      answered();
      this.#continueFor(party, () => given(error, result));
    });
  }

  begin(): Promise<unknown> {
    this.#gather();
    return this.#answerTo((done) => new Query('begin', [], done));
  }

  commit(): Promise<unknown> {
    return this.#answerTo((done) => new Query('commit', [], done));
  }

  async rollback(): Promise<void> {
    await this.query('rollback').catch(() => {});
  }

  /** Writes everything sent in one turn of the event loop at once: a system call costs more than composing a message. */
  #gather(): void {
    if (this.#socket.writableCorked > 0) return;
    this.#socket.cork();
    setImmediate(() => this.#socket.uncork());
  }

  /** Writes what was sent without waiting for more in this turn. */
  flush(): void {
    if (this.#socket.writableCorked > 0) this.#socket.uncork();
  }
}

/** Whether Postgres rejected the statement, over a connection that can serve others. */
export function isAnswer(error: unknown): boolean {
  return error instanceof DatabaseError && !isConnectionLost(error) && !isUnprepared(error);
}

type Done = (error: Error | undefined, result: Pick<QueryResult, 'rows'>) => void;

/** pg copies a query given as an object and wraps its promise, which costs 4 % of a read. */
class NamedQuery extends Query {
  readonly name: string;

  constructor({ name, postgres: text }: Statement, values: readonly Value[], done: Done) {
    super(text, [...values], done);
    this.name = name;
  }
}
