import { hash } from 'node:crypto';
import { type Database, type Dialect, dialectOf, rowsOfJson, type Transaction } from './connect.ts';
import { readsOf } from './shared-reads.ts';
import type { ShortTransaction } from './short-transaction.ts';
import { type Statement, sendToPostgres, sendToSqlite, type Value } from './statement.ts';

type Target = Database | Transaction | ShortTransaction;

/**
 * A statement whose text never changes: each connection prepares it once. What callers wait for most is written that way, everything
 * else with Knex. It names its columns: with `*`, Postgres would refuse it in a process that is older than a new column.
 */
export type Prepared<Row> = (on: Target, ...values: Value[]) => Promise<Row[]>;

/** @param words with `?` for parameters, the same in both databases or as each has it */
export function prepared<Row = never>(words: string | ((dialect: Dialect) => string)): Prepared<Row> {
  const wordsFor = typeof words === 'string' ? () => words : words;
  const postgres = numbered(wordsFor('postgres'));
  const statement: Statement = { name: nameOf(postgres), sqlite: wordsFor('sqlite'), postgres };
  const isRead = /^\s*select\b/i.test(statement.sqlite);
  return async (on, ...values) => {
    if ('send' in on) return on.send<Row>(statement, values);
    if (isRead && !on.isTransaction) return (await readsOf(on))<Row>(statement, values);
    const connection = await on.client.acquireConnection();
    // Knex asks only for statements of its own, and somebody else may have the connection by now.
    if ('isCompleted' in on && on.isCompleted()) throw new Error('A statement comes after the end of its transaction.');
    try {
      const send = dialectOf(on) === 'postgres' ? sendToPostgres(connection) : sendToSqlite(connection);
      return await send<Row>(statement, values);
    } finally {
      on.client.releaseConnection(connection);
    }
  };
}

/**
 * What inserts rows: into Postgres all at once, into SQLite one by one, where several at once would need a file to take them back.
 * @param columns with their types in Postgres
 */
export function preparedInsert<Column extends string>(
  table: string,
  columns: Record<Column, string>,
): (on: Target, rows: readonly Record<Column, Value>[]) => Promise<unknown> {
  const names = Object.keys(columns) as Column[];
  const into = `insert into ${table} (${names.join(', ')})`;
  const each = prepared(`${into} values (${names.map(() => '?').join(', ')})`);
  const all = prepared(`${into} ${rowsOfJson('postgres', columns)}`);
  return (on, rows) =>
    dialectOf(on) === 'postgres'
      ? all(on, JSON.stringify(rows))
      : Promise.all(rows.map((row) => each(on, ...names.map((name) => row[name]))));
}

/** By what it says: connections of several processes may be shared by a pooler, and one name must not mean two things. */
function nameOf(sql: string): string {
  return `prepared_${hash('sha256', sql).slice(0, 32)}`;
}

/** Postgres numbers its parameters. */
function numbered(sql: string): string {
  let count = 0;
  return sql.replace(/\?/g, () => `$${++count}`);
}
