import { Socket } from 'node:net';
import knex, { type KnexPool } from 'knex';
import { Client } from 'pg';
import { type Connection, type Connections, hold, type Send } from './connections.ts';

const POOL_SIZE = 10;
const MAX_SHARED_READS = 16;
/** Postgres sends 64-bit integers as text. Ours are counts and positions, which a number holds exactly. */
const INT8 = 20;

export function postgresConnections(url: string): Connections {
  const pool = new knex.KnexPool({
    create: async () => {
      const client = new PipelinedClient(url);
      await client.connect();
      return client;
    },
    destroy: (client: PipelinedClient) => client.end(),
    validate: (client) => client.usable,
    min: 0,
    max: POOL_SIZE,
    propagateCreateError: true,
  });
  return {
    pool,
    read: sharedReads(pool),
    hold: (work) => hold(pool, work),
    close: async () => {
      await pool.destroy();
    },
  };
}

/** Statements do not wait for the answers to earlier ones. */
class PipelinedClient extends Client implements Connection {
  usable = true;
  readonly #socket: Socket;

  constructor(url: string) {
    const socket = new Socket();
    super({
      connectionString: url,
      application_name: 'tenant-screening',
      pipeline: true,
      stream: () => socket,
    });
    this.#socket = socket;
    this.setTypeParser(INT8, Number);
    const discard = () => {
      this.usable = false;
    };
    this.on('error', discard);
    this.on('end', discard);
  }

  readonly send: Send = async ({ name, postgres: text }, values) => {
    this.#gather();
    return (await this.query({ name, text, values: [...values] })).rows;
  };

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
    // Two ticks, because a commit follows its statements one tick later.
    process.nextTick(() => process.nextTick(() => this.#socket.uncork()));
  }
}

interface Shared {
  client: Promise<PipelinedClient>;
  reads: number;
}

/** Overlapping reads share a connection: pipelined, none waits for the answers to earlier ones. */
function sharedReads(pool: KnexPool<PipelinedClient>): Send {
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
  return async (statement, values) => {
    const shared = join();
    try {
      return await (await shared.client).send(statement, values);
    } catch (error) {
      // The connection may be broken: later reads take another.
      close(shared);
      throw error;
    } finally {
      leave(shared);
    }
  };
}
