import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** Longer than Node gives an address before it abandons it (250 ms); the kernel repeats an unanswered SYN after a second. */
const BUSY_MS = 500;

/** Enough to fill the queue of connections that the kernel accepts on its own. */
const FILLERS = 4;

/** An HTTP server that accepts connections late, as a distant or busy one does: its queue of connections is full for a while. */
export class SlowHandshake {
  readonly port: number;
  readonly #worker: Worker;
  readonly #fillers: Socket[];

  private constructor(port: number, worker: Worker, fillers: Socket[]) {
    this.port = port;
    this.#worker = worker;
    this.#fillers = fillers;
  }

  /**
   * Resolves while its queue is full.
   * @param options an IPv4 address to listen at, all of this machine by default, and how long it accepts nothing
   */
  static async start({ host = '0.0.0.0', busyMs = BUSY_MS } = {}): Promise<SlowHandshake> {
    const isFull = new Int32Array(new SharedArrayBuffer(4));
    const worker = new Worker(new URL(import.meta.url), { workerData: { isFull, host, busyMs } });
    const [port] = await once(worker, 'message');
    const place = host === '0.0.0.0' ? '127.0.0.1' : host;
    const fillers = Array.from({ length: FILLERS }, () => connect(port, place).on('error', () => {}));
    await new Promise((resolve) => setTimeout(resolve, BUSY_MS / 5));
    Atomics.store(isFull, 0, 1);
    Atomics.notify(isFull, 0);
    return new SlowHandshake(port, worker, fillers);
  }

  async stop(): Promise<void> {
    for (const socket of this.#fillers) socket.destroy();
    await this.#worker.terminate();
  }
}

async function serve(isFull: Int32Array, host: string, busyMs: number): Promise<void> {
  const { createServer } = await import('node:http');
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.end('ok'));
  });
  server.listen({ port: 0, host, backlog: 1 }, () => {
    const address = server.address();
    parentPort?.postMessage(typeof address === 'object' ? address?.port : undefined);
    // Accepts nothing: this thread is blocked until the queue is full, and for a while after.
    setImmediate(() => {
      Atomics.wait(isFull, 0, 0);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyMs);
    });
  });
}

if (!isMainThread && workerData?.isFull instanceof Int32Array)
  await serve(workerData.isFull, workerData.host, workerData.busyMs);
