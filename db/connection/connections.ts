import type { Knex } from 'knex';
import type { DatabaseLimits } from '../../core/settings/database-settings.ts';

/** Parameter types that both databases bind in the same way. */
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

/** What a process expects at the other end of an address. */
export interface Expected {
  setting: 'DATABASE_URL' | 'DATABASE_SESSION_URL';
  /** A pooler in transaction mode or Postgres itself, with prepared statements; otherwise our own sessions. */
  isPooled: boolean;
  limits: DatabaseLimits;
}

/** What Knex and `hold` need of a pool. */
export interface Pool<Held> {
  acquire(): { promise: Promise<Held> };
  release(held: Held): boolean;
  destroy(): Promise<void>;
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
}

/** The connections of one database. Knex borrows from the same pool, which it does not own. */
export interface Connections {
  pool: Pool<object>;
  /** For how long a refused statement is retried, in milliseconds. */
  patienceMs: number;
  /** Lets a transaction wait for a turn, so that a party whose transactions hang can still read. */
  inTransactionTurn?<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Reads outside any transaction. */
  read: Send;
  /** Holds one connection of the pool for as long as `work` takes. */
  hold<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>;
  /** Runs a short transaction; on SQLite, with others in one commit. Fulfilled after the commit. */
  transact<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>;
  /** Postgres only. @throws UnfitRoute */
  expectFitRoute?(expected: Expected): Promise<void>;
  close(): Promise<void>;
  /** Opens further connections, for statements that last longer than these wait. Postgres only. */
  openPatient?(): Promise<Knex>;
}

/** Keyed by the Knex that `open` returned; transactions and other instances of Knex are absent. */
export const openConnections = new WeakMap<Knex, Connections>();

export async function hold<Held extends Connection, Result>(
  pool: Pool<Held>,
  work: (connection: Held) => Promise<Result>,
): Promise<Result> {
  const connection = await pool.acquire().promise;
  try {
    return await work(connection);
  } finally {
    pool.release(connection);
  }
}
