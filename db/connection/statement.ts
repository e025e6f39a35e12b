import type Sqlite from 'better-sqlite3';
import type { Client } from 'pg';
import type { Dialect } from './connect.ts';

/** What a parameter may be in both databases alike. */
export type Value = string | number | null;

/** A statement whose text never changes, so that a connection prepares it once. */
export type Statement = Record<Dialect, string> & {
  /** By which connections to Postgres know it. */
  name: string;
};

export type Send = <Row>(statement: Statement, values: readonly Value[]) => Promise<Row[]>;

export function sendToPostgres(client: Client): Send {
  return async ({ name, postgres: text }, values) => {
    gather(client);
    return (await client.query({ name, text, values: [...values] })).rows;
  };
}

export function sendToSqlite(connection: Sqlite.Database): Send {
  return async <Row>({ sqlite }: Statement, values: readonly Value[]) => {
    const statement = connection.prepare<Value[], Row>(sqlite);
    if (statement.reader) return statement.all(...values);
    statement.run(...values);
    return [];
  };
}

/** What is sent in one turn goes out in one piece: to write costs more than to say what. */
function gather({ connection: { stream } }: Client): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}
