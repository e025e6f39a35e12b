import { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import knex, { type KnexPool } from 'knex';
import { Client, DatabaseError, Query, type QueryResult } from 'pg';
import type { DatabaseLimits } from '../../core/settings/database-settings.ts';
import { type Connection, type Connections, hold, type Send, type Statement, type Value } from './connections.ts';

const MAX_SHARED_READS = 16;
/** Postgres sends 64-bit integers as text. Ours are counts and positions, which a number holds exactly. */
const INT8 = 20;
const KEEP_ALIVE_MS = 10_000;
/** The longest pause before a read is sent again. */
const RETRY_MS = 50;
const RETRIES = 3;
const MOST_TAGS = 2 ** 31;
/** How much of the time for an answer the statement itself may take. */
const SERVER_SHARE = 0.9;

export function postgresConnections(url: string, limits: DatabaseLimits): Connections {
  const { poolSize, connectMs, queryMs } = limits;
  const pool = new knex.KnexPool({
    create: async () => {
      const client = new PipelinedClient(url, limits);
      await client.connect();
      return client;
    },
    destroy: (client: PipelinedClient) => client.end(),
    validate: (client) => client.usable,
    min: 0,
    max: poolSize,
    propagateCreateError: true,
    acquireTimeoutMillis: connectMs,
    createTimeoutMillis: connectMs,
    destroyTimeoutMillis: connectMs,
  });
  return {
    pool,
    patienceMs: queryMs / 2,
    read: sharedReads(pool, queryMs),
    hold: (work) => hold(pool, work),
    transact: (work) => hold(pool, work),
    close: async () => {
      await pool.destroy();
    },
  };
}

/**
 * Statements do not wait for the answers to earlier ones. pg closes a connection on which an answer took too long, which ends what else
 * waits there: Postgres itself ends its statements a little sooner, and then the connection stays.
 */
class PipelinedClient extends Client implements Connection {
  usable = true;
  readonly #socket: Socket;
  #tag = 0;

  constructor(url: string, { connectMs, queryMs, lockMs, idleMs }: DatabaseLimits) {
    const socket = new JoiningSocket();
    super({
      connectionString: url,
      application_name: 'tenant-screening',
      pipeline: true,
      stream: () => socket,
      connectionTimeoutMillis: connectMs,
      query_timeout: queryMs,
      statement_timeout: queryMs * SERVER_SHARE,
      lock_timeout: lockMs,
      idle_in_transaction_session_timeout: idleMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    });
    this.#socket = socket;
    this.setTypeParser(INT8, Number);
    const discard = () => {
      this.usable = false;
    };
    this.on('error', discard);
    this.on('end', discard);
  }

  readonly send: Send = ({ name, postgres: text }, values) => {
    this.#gather();
    return this.#ask({ name, text }, values);
  };

  async #ask<Row>(statement: Named, values: readonly Value[]): Promise<Row[]> {
    try {
      return await new Promise((resolve, reject) => {
        this.query(
          new NamedQuery(statement, values, (error, result) => (error ? reject(error) : resolve(result.rows))),
        );
      });
    } catch (error) {
      // The stack of pg's error begins at the socket; this one tells the caller.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  }

  /**
   * A read among others. Should bytes get lost on the way, each answer would go to the statement before it: every row bears a tag that
   * only this read has. An answer without rows bears none, so it is asked for in a form that has one row at least. @throws LostAnswer
   */
  readonly read: Send = async <Row>(statement: Statement, values: readonly Value[]) => {
    const { rows, certain } = tagged(statement, values.length + 1);
    const found = await this.#tagged<Row>(rows, values);
    if (found.length > 0) return found;
    return (await this.#tagged<Row & { is_row: true | null }>(certain, values, 1)).filter((row) => row.is_row);
  };

  async #tagged<Row>(statement: Named, values: readonly Value[], least = 0): Promise<(Row & Tagged)[]> {
    this.#tag = (this.#tag + 1) % MOST_TAGS;
    const tag = this.#tag;
    this.#gather();
    const rows = await this.#ask<Row & Tagged>(statement, [...values, tag]);
    if (rows.length >= least && rows.every((row) => row.tag === tag)) return rows;
    this.usable = false;
    this.#socket.destroy();
    throw new LostAnswer();
  }

  begin(): Promise<unknown> {
    this.#gather();
    return this.query('begin');
  }

  commit(): Promise<unknown> {
    return this.query('commit');
  }

  async rollback(): Promise<void> {
    await this.query('rollback').catch(() => {});
  }

  /** Sends everything written in one turn of the event loop at once: a system call costs more than composing a message. */
  #gather(): void {
    if (this.#socket.writableCorked > 0) return;
    this.#socket.cork();
    setImmediate(() => this.#socket.uncork());
  }
}

/** pg copies a query that is described by an object, and wraps its promise: 4 % of a read. */
class NamedQuery extends Query {
  readonly name: string;

  constructor(
    { name, text }: Named,
    values: readonly Value[],
    done: (error: Error | undefined, result: Pick<QueryResult, 'rows'>) => void,
  ) {
    super(text, [...values], done);
    this.name = name;
  }
}

/** Writes what was corked as one buffer: composing it costs less than handing dozens of buffers to the kernel. */
class JoiningSocket extends Socket {
  override _writev(
    chunks: { chunk: Uint8Array; encoding: BufferEncoding }[],
    done: (error?: Error | null) => void,
  ): void {
    const [first] = chunks;
    if (first) this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), first.encoding, done);
  }
}

interface Shared {
  client: Promise<PipelinedClient>;
  reads: number;
}

/**
 * Overlapping reads share a connection: pipelined, none waits for the answers to earlier ones. When the connection is lost, because
 * one of them took too long or Postgres restarts, the others are sent again over another one, if it is in the first half of their time.
 */
function sharedReads(pool: KnexPool<PipelinedClient>, queryMs: number): Send {
  let open: Shared | undefined;
  const join = (): Shared => {
    if (!open || open.reads === MAX_SHARED_READS) open = { client: pool.acquire().promise, reads: 0 };
    open.reads += 1;
    return open;
  };
  const close = (shared: Shared): void => {
    if (open === shared) open = undefined;
  };
  const leave = (shared: Shared): void => {
    shared.reads -= 1;
    if (shared.reads > 0) return;
    close(shared);
    shared.client.then((client) => pool.release(client)).catch(() => {});
  };
  const read = async <Row>(
    statement: Statement,
    values: readonly Value[],
    startedAt = performance.now(),
    retries = RETRIES,
  ): Promise<Row[]> => {
    const shared = join();
    let client: PipelinedClient | undefined;
    try {
      client = await shared.client;
      return await client.read<Row>(statement, values);
    } catch (error) {
      // Later reads take another connection.
      close(shared);
      const isLate = performance.now() - startedAt > queryMs / 2;
      if (retries === 0 || isLate || !isLost(error, client)) throw error;
    } finally {
      leave(shared);
    }
    await wait(Math.random() * RETRY_MS);
    return read(statement, values, startedAt, retries - 1);
  };
  return (statement, values) => read(statement, values);
}

/** Bytes of a connection got lost. */
class LostAnswer extends Error {
  constructor() {
    super('An answer of Postgres belongs to another statement.');
  }
}

/**
 * Whether a read had no answer because its connection ended, which has no effect: it may be sent again. By SQLSTATE: an operator or the
 * server ends the connection (57P), or a statement was not prepared on it because bytes got lost (26000).
 */
function isLost(error: unknown, client: PipelinedClient | undefined): boolean {
  if (error instanceof LostAnswer || (client && !client.usable)) return true;
  if (error instanceof DatabaseError) return /^(57P|26000)/.test(error.code ?? '');
  // While it was opened: pg's own error has no code.
  return !client && error instanceof Error && /ECONNRESET|Connection terminated unexpectedly/.test(error.message);
}

interface Named {
  name: string;
  text: string;
}

interface Tagged {
  tag: number;
}

const taggedReads = new Map<string, { rows: Named; certain: Named }>();

/** A read whose rows bear a tag; and one that answers with one row at least, in which `is_row` is null when there was none. */
function tagged({ name, postgres }: Statement, parameter: number): { rows: Named; certain: Named } {
  const known = taggedReads.get(name);
  if (known) return known;
  const tag = `$${parameter}::int as tag`;
  const found = `(select true as is_row, read.* from (${postgres}) as read) as found`;
  const forms = {
    rows: { name: `${name}_rows`, text: `select ${tag}, read.* from (${postgres}) as read` },
    certain: {
      name: `${name}_certain`,
      text: `select ${tag}, found.* from (select) as asked left join ${found} on true`,
    },
  };
  taggedReads.set(name, forms);
  return forms;
}
