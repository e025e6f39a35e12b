import { hash } from 'node:crypto';
import { openConnections, type Statement, type Value } from './connections.ts';
import { type Database, type Dialect, dialectOf, type Transaction } from './database.ts';
import { rowsOfJson } from './queries/many-values.ts';
import type { ShortTransaction } from './short-transaction.ts';
import { retried } from './transactions.ts';

type Target = Database | Transaction | ShortTransaction;

/**
 * A statement with a fixed text, which each connection prepares once. The hot paths are written this way, everything else with Knex.
 * It names its columns: with `*`, Postgres refuses it in processes older than a new column.
 */
export type Prepared<Row> = (on: Target, ...values: Value[]) => Promise<Row[]>;

/** All columns of a row, for the text of a statement. */
export function columnsOf<Row>(columns: Record<keyof Row, true>): string {
  return Object.keys(columns).join(', ');
}

/** The columns of several tables under the names of a row, for the text of a statement. */
export function namedColumns(...named: Record<string, string>[]): string {
  return named
    .flatMap(Object.entries)
    .map(([name, column]) => `${column} as ${name}`)
    .join(', ');
}

/** @param sql with `?` for parameters; one text for both databases, or one for each */
export function prepared<Row = never>(sql: string | ((dialect: Dialect) => string)): Prepared<Row> {
  const sqlFor = typeof sql === 'string' ? () => sql : sql;
  const postgres = numbered(sqlFor('postgres'));
  const statement: Statement = { name: nameOf(postgres), sqlite: sqlFor('sqlite'), postgres };
  const isRead = /^\s*select\b/i.test(statement.sqlite);
  return async (on, ...values) => {
    if ('send' in on) return on.send<Row>(statement, values);
    const connections = openConnections.get(on);
    if (!connections) return sendByKnex<Row>(on, statement.name, sqlFor(dialectOf(on)), values);
    // A read has no effect, so it is sent again even when its connection was lost.
    if (isRead)
      return retried(
        on,
        () => connections.read<Row>(statement, values),
        () => true,
      );
    return retried(on, () => connections.hold(({ send }) => send<Row>(statement, values)));
  };
}

async function sendByKnex<Row>(on: Database | Transaction, name: string, sql: string, values: Value[]): Promise<Row[]> {
  if ('isCompleted' in on && on.isCompleted()) throw new Error('A statement comes after the end of its transaction.');
  const answer = await on.raw(sql, values).options({ name });
  return Array.isArray(answer) ? answer : (answer.rows ?? []);
}

/** More rows of SQLite are one statement: it needs a statement journal, which costs less than sending each row. */
const MAX_SINGLE_ROWS = 8;

/**
 * One statement on Postgres, and for many rows on SQLite; for a few, one per row.
 * @param condition on a row, called `given`; rows that do not meet it are left out. `exists` would become a join, which reads the whole table
 */
export function preparedInsert<Column extends string>(
  table: string,
  columns: Record<Column, string>,
  condition = 'true',
): (on: Target, rows: readonly Record<Column, Value>[]) => Promise<unknown> {
  const names = Object.keys(columns) as Column[];
  const into = `insert into ${table} (${names.join(', ')})`;
  const each = prepared(
    `${into} select * from (select ${names.map((name) => `? as ${name}`).join(', ')}) as given where ${condition}`,
  );
  const all = prepared(
    (dialect) => `${into} select * from (${rowsOfJson(dialect, columns)}) as given where ${condition}`,
  );
  return (on, rows) =>
    dialectOf(on) === 'postgres' || rows.length > MAX_SINGLE_ROWS
      ? all(on, JSON.stringify(rows))
      : Promise.all(rows.map((row) => each(on, ...names.map((name) => row[name]))));
}

/** A digest of the text: processes of several versions may share a connection behind a pooler, so a name must identify one statement. */
function nameOf(sql: string): string {
  return `prepared_${hash('sha256', sql).slice(0, 32)}`;
}

function numbered(sql: string): string {
  let count = 0;
  return sql.replace(/\?/g, () => `$${++count}`);
}
