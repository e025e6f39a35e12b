import { inBatches } from '../../../core/batches.ts';
import { hold, type Pool, type Send, type Statement, type Value } from '../connections.ts';
import { isAnswer, type PipelinedClient } from './client.ts';

/** How many reads share a connection. */
export const READS_PER_CONNECTION = 16;

type Read = (client: PipelinedClient) => Promise<unknown>;

/**
 * Pipelines the reads of one turn of the event loop over one connection, which serves no other caller meanwhile. While all connections
 * for reads are in use, the next batch grows.
 * 1. Send the statements.
 * 2. Wait until each has its answer: rows or an error of Postgres.
 * 3. Hand out the answers. If bytes were lost on the way, answers may have shifted to other statements, but then one is missing: the batch
 *    fails as a whole, and the connection is closed.
 */
export function batchedReads(pool: Pool<PipelinedClient>, connections: number): Send {
  const sendInBatch = inBatches<Read>((reads) => hold(pool, (client) => sendAll(client, reads)), {
    size: READS_PER_CONNECTION,
    atOnce: connections,
  });
  return async <Row>(statement: Statement, values: readonly Value[]) => {
    let answer: Promise<Row[]> | undefined;
    await sendInBatch((client) => {
      answer = client.send<Row>(statement, values);
      return answer;
    });
    if (!answer) throw new Error('The read was not sent.');
    try {
      return await answer;
    } catch (error) {
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  };
}

async function sendAll(client: PipelinedClient, reads: readonly Read[]): Promise<void> {
  const answers = reads.map((read) => read(client));
  client.flush();
  for (const answer of await Promise.allSettled(answers))
    if (answer.status === 'rejected' && !isAnswer(answer.reason)) throw answer.reason;
}
