import type { Knex, KnexPool } from 'knex';

/** Parameter types that both databases bind alike. */
export type Value = string | number | null;

/** A statement with a fixed text, which each connection prepares once. */
export type Statement = Record<'sqlite' | 'postgres', string> & {
  /** The name of the prepared statement on Postgres. */
  name: string;
};

export type Send = <Row>(statement: Statement, values: readonly Value[]) => Promise<Row[]>;

export interface Connection {
  send: Send;
  /** Throws synchronously on SQLite: nothing may run outside the transaction. */
  begin(): Promise<unknown>;
  commit(): Promise<unknown>;
  rollback(): Promise<unknown>;
}

/** The connections of one database. Knex borrows from the same pool, which it does not own. */
export interface Connections {
  pool: KnexPool;
  /** For how long what the database refused is tried again, in milliseconds. */
  patienceMs: number;
  /** Reads outside any transaction. */
  read: Send;
  /** Holds one connection of the pool for as long as `work` takes. */
  hold<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>;
  /** Runs a short transaction; on SQLite, with others in one commit. Fulfilled after the commit. */
  transact<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** Keyed by the Knex that `open` returned; transactions and other instances of Knex are absent. */
export const openConnections = new WeakMap<Knex, Connections>();

export async function hold<Held extends Connection, Result>(
  pool: KnexPool<Held>,
  work: (connection: Held) => Promise<Result>,
): Promise<Result> {
  const connection = await pool.acquire().promise;
  try {
    return await work(connection);
  } finally {
    pool.release(connection);
  }
}
