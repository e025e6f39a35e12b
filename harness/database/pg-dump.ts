import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { PGlite } from '@electric-sql/pglite';
import { pgDump } from '@electric-sql/pglite-tools/pg_dump';
import type { RelayData } from './postgres-relay.ts';

const STARTUP = 0;
const TERMINATE = 'X'.charCodeAt(0);

/**
 * The output of `pg_dump` for a database, as SQL. The program is the real one, compiled to WebAssembly, because test machines
 * have no other. It can only block, so another thread talks to the server.
 */
export async function dumped(url: string, ...args: string[]): Promise<string> {
  const { port1: near, port2: far } = new MessageChannel();
  const answered = new Int32Array(new SharedArrayBuffer(4));
  const workerData: RelayData = { url, port: far, answered };
  const worker = new Worker(new URL('./postgres-relay.ts', import.meta.url), { workerData, transferList: [far] });
  let seen = 0;
  const answer = (): Uint8Array => {
    Atomics.wait(answered, 0, seen++);
    return receiveMessageOnPort(near)?.message;
  };
  try {
    const greeting = answer();
    const ask = (bytes: Uint8Array): Uint8Array => {
      if (bytes[0] === STARTUP) return greeting;
      worker.postMessage(bytes.slice());
      return bytes[0] === TERMINATE ? new Uint8Array() : answer();
    };
    const server = {
      execProtocolRawStream: (bytes: Uint8Array, { onRawData }: { onRawData: (bytes: Uint8Array) => void }) =>
        onRawData(ask(bytes)),
      // The settings it reads before and changes after concern the one session that it shares.
      query: async () => ({ rows: [{ search_path: 'public' }] }),
      exec: async () => [],
    };
    // The type is for the whole PGlite, but only these three are called.
    const file = await pgDump({ pg: server as unknown as PGlite, args });
    return await file.text();
  } finally {
    near.close();
    await worker.terminate();
  }
}
