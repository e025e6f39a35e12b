import type { Client } from 'pg';
import { type Database, dialectOf, openReader } from './connect.ts';
import { type Send, sendToPostgres, sendToSqlite } from './statement.ts';

const known = new WeakMap<object, Promise<Send>>();

/** What reads outside of transactions. */
export function readsOf(db: Database): Promise<Send> {
  const found = known.get(db.client);
  if (found) return found;
  const reads = dialectOf(db) === 'sqlite' ? openReader(db).then(sendToSqlite) : inLines(db);
  known.set(db.client, reads);
  reads.catch(() => known.delete(db.client));
  return reads;
}

/** Reads of Postgres that overlap share a connection of the pool: nobody waits for the answers to those before. */
interface Line {
  connection: Promise<Client>;
  reads: number;
}

const MOST_IN_LINE = 16;

async function inLines({ client: pool }: Database): Promise<Send> {
  let open: Line | undefined;
  const join = (): Line => {
    if (!open || open.reads === MOST_IN_LINE) open = { connection: pool.acquireConnection(), reads: 0 };
    open.reads += 1;
    return open;
  };
  const close = (line: Line): void => {
    if (open === line) open = undefined;
  };
  const leave = (line: Line): void => {
    line.reads -= 1;
    if (line.reads > 0) return;
    close(line);
    const release = (connection: Client) => pool.releaseConnection(connection);
    line.connection.then(release, () => {});
  };
  return async (statement, values) => {
    const line = join();
    try {
      return await sendToPostgres(await line.connection)(statement, values);
    } catch (error) {
      // It may be broken: those who come after get another.
      close(line);
      throw error;
    } finally {
      leave(line);
    }
  };
}
