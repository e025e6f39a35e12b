import type { Knex } from 'knex';

/** Only this room and the queue know which of the two databases it is. */
export type Database = Knex;

export type Dialect = 'sqlite' | 'postgres';

/** Required by code that writes more than once, or writes what depends on what it read. */
export type Transaction = Knex.Transaction;

export function dialectOf(db: Database | Transaction | { dialect: Dialect }): Dialect {
  if ('dialect' in db) return db.dialect;
  return db.client.config.client === 'pg' ? 'postgres' : 'sqlite';
}

/** Whether a write transaction blocks all other writers, which time out after a while. */
export function hasSingleWriter(db: Database): boolean {
  return dialectOf(db) === 'sqlite';
}
