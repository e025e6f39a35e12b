import { Socket } from 'node:net';
import { Client, Query, type QueryResult } from 'pg';
import type { DatabaseLimits } from '../../../core/settings/database-settings.ts';
import type { Connection, Send, Statement, Value } from '../connections.ts';

/** Postgres sends 64-bit integers as text. Ours are counts and positions, which a number holds exactly. */
const INT8 = 20;
const KEEP_ALIVE_MS = 10_000;
const MAX_TAGS = 2 ** 31;
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
 * Pipelines statements. pg closes a connection on which an answer took too long, which fails everything else that waits there. Postgres
 * cancels its statements a little sooner, so that the connection survives.
 */
export class PipelinedClient extends Client implements Connection {
  usable = true;
  readonly #socket: Socket;
  #tag = 0;

  /** As the server reported at the start. An undeclared property of pg. */
  declare readonly processID: number | null;

  /** @param sendsLimits false for a pooler, which refuses settings of a session */
  constructor(url: string, { connectMs, queryMs, lockMs, idleMs }: DatabaseLimits, sendsLimits: boolean) {
    const socket = new JoiningSocket();
    super({
      connectionString: url,
      application_name: 'tenant-screening',
      pipeline: true,
      stream: () => socket,
      connectionTimeoutMillis: connectMs,
      query_timeout: queryMs,
      ...(sendsLimits ? sessionLimits({ queryMs, lockMs, idleMs }) : {}),
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
      // pg's error stack begins at the socket; this one names the caller.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  }

  /**
   * Pipelines a read. If bytes got lost on the way, each answer would go to the preceding statement, so every row carries a tag unique to
   * this read. An answer without rows carries none, so the query is wrapped to return at least one row. @throws LostAnswer
   */
  readonly read: Send = async <Row>(statement: Statement, values: readonly Value[]) => {
    const { rows, certain } = tagged(statement, values.length + 1);
    const found = await this.#tagged<Row>(rows, values);
    if (found.length > 0) return found;
    return (await this.#tagged<Row & { is_row: true | null }>(certain, values, 1)).filter((row) => row.is_row);
  };

  async #tagged<Row>(statement: Named, values: readonly Value[], least = 0): Promise<(Row & Tagged)[]> {
    this.#tag = (this.#tag + 1) % MAX_TAGS;
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

/** pg copies a query given as an object and wraps its promise, which costs 4 % of a read. */
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

/** Writes the corked messages as one buffer: composing it costs less than handing dozens of buffers to the kernel. */
class JoiningSocket extends Socket {
  override _writev(
    chunks: { chunk: Uint8Array; encoding: BufferEncoding }[],
    done: (error?: Error | null) => void,
  ): void {
    const [first] = chunks;
    if (first) this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), first.encoding, done);
  }
}

/** A connection lost bytes. */
export class LostAnswer extends Error {
  constructor() {
    super('An answer of Postgres belongs to another statement.');
  }
}

interface Named {
  name: string;
  text: string;
}

interface Tagged {
  tag: number;
}

const taggedReads = new Map<string, { rows: Named; certain: Named }>();

/** A read whose rows carry a tag, and one that returns at least one row, in which `is_row` is null when there was none. */
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
