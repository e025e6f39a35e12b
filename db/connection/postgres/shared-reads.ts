import { setTimeout as wait } from 'node:timers/promises';
import type { KnexPool } from 'knex';
import { DatabaseError } from 'pg';
import type { Send, Statement, Value } from '../connections.ts';
import { LostAnswer, type PipelinedClient } from './client.ts';

const MAX_SHARED_READS = 16;
/** The longest pause before a read is sent again. */
const RETRY_MS = 50;
const RETRIES = 3;

interface Shared {
  client: Promise<PipelinedClient>;
  reads: number;
}

/**
 * Overlapping reads share a pipelined connection. When it is lost, because one of them took too long or Postgres restarts, the others are
 * sent again over another one, if they are still in the first half of their time.
 */
export function sharedReads(pool: KnexPool<PipelinedClient>, queryMs: number): Send {
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

/**
 * Whether a read got no answer because its connection ended. A read has no effect, so it may be sent again. By SQLSTATE: an operator or the
 * server ended the connection (57P), or the statement was not prepared on it because bytes got lost (26000).
 */
function isLost(error: unknown, client: PipelinedClient | undefined): boolean {
  if (error instanceof LostAnswer || (client && !client.usable)) return true;
  if (error instanceof DatabaseError) return /^(57P|26000)/.test(error.code ?? '');
  // The connection ended while it was being opened: pg's own error has no code.
  return !client && error instanceof Error && /ECONNRESET|Connection terminated unexpectedly/.test(error.message);
}
