import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { listen, type RunningServer } from '../process/running-server.ts';
import { signal } from '../process/signals.ts';

const POLL_MS = 1_000;
/** A busy machine answers late, which tells nothing of a replica. */
const PATIENCE_MS = 15_000;

export interface Replica {
  url: string;
  /** Answers 200 while it should receive requests. */
  readyUrl: string;
}

interface Backend extends Replica {
  isReady: boolean;
  /** The result of the last poll. */
  polled: string;
  isPolling: boolean;
  /** When it was last found ready, by the monotonic clock; 0 for never. */
  readyAt: number;
  agent: Agent;
}

/**
 * An HTTP load balancer at its strictest: it polls each replica every second and takes it out after one bad poll. It distributes requests
 * round-robin over the ready ones, with keep-alive, and sends nothing twice.
 */
export class Balancer {
  /** Requests without an answer. */
  readonly failures: string[] = [];
  answered = 0;
  readonly #backends = new Map<number, Backend>();
  readonly #timer = setInterval(() => this.#poll(), POLL_MS);
  #server: RunningServer | undefined;
  #turn = 0;

  static async start(): Promise<Balancer> {
    const balancer = new Balancer();
    balancer.#server = await listen(
      createServer((req, res) => balancer.#forward(req, res)),
      0,
    );
    return balancer;
  }

  get url(): string {
    return this.#server?.url ?? '';
  }

  /** Replaces the replica in a slot. It receives requests once a poll found it ready. */
  put(slot: number, replica: Replica): void {
    this.#backends.set(slot, {
      ...replica,
      isReady: false,
      polled: 'not yet',
      isPolling: false,
      readyAt: 0,
      agent: new Agent({ keepAlive: true }),
    });
  }

  get ready(): number {
    return [...this.#backends.values()].filter(({ isReady }) => isReady).length;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#server?.stop();
    for (const { agent } of this.#backends.values()) agent.destroy();
  }

  #poll(): void {
    for (const backend of this.#backends.values()) {
      // Two polls at once may be answered in the wrong order.
      if (backend.isPolling) continue;
      const note = (said: string, isGood: boolean) => {
        backend.polled = said;
        backend.isReady = isGood;
        backend.isPolling = false;
        if (isGood) backend.readyAt = performance.now();
        signal();
      };
      backend.isPolling = true;
      const poll = request(backend.readyUrl, { agent: false, timeout: PATIENCE_MS }, (response) => {
        note(String(response.statusCode), response.statusCode === 200);
        response.resume();
      });
      poll.on('timeout', () => poll.destroy(new Error('no answer')));
      poll.on('error', (error) => note(error.message, false));
      poll.end();
    }
  }

  /** Those that are ready. Without any, the last that was: on a busy machine, a replica may report that its database was late. */
  #candidates(): Backend[] {
    const known = [...this.#backends.values()].filter(({ readyAt }) => readyAt > 0);
    const ready = known.filter(({ isReady }) => isReady);
    return ready.length > 0 ? ready : known.sort((one, other) => other.readyAt - one.readyAt).slice(0, 1);
  }

  #forward(req: IncomingMessage, res: ServerResponse): void {
    const candidates = this.#candidates();
    const backend = candidates[this.#turn++ % candidates.length];
    const fail = (error: unknown) => {
      this.failures.push(`${req.method} ${req.url} to ${backend?.url}: ${error}`);
      if (!res.headersSent) res.writeHead(502);
      res.end();
    };
    if (!backend) {
      const polled = [...this.#backends.values()].map((each) => each.polled);
      fail(`no replica is ready: ${polled.join(', ')}`);
      return;
    }
    const { method, url: path, headers } = req;
    const { hostname, port } = new URL(backend.url);
    const { connection: _, ...passed } = headers;
    const outgoing = request({ hostname, port, method, path, headers: passed, agent: backend.agent }, (answer) => {
      const { connection: __, 'keep-alive': ___, ...given } = answer.headers;
      res.writeHead(answer.statusCode ?? 0, given);
      answer.on('error', fail);
      answer.on('end', () => this.answered++);
      answer.pipe(res);
    });
    outgoing.on('error', fail);
    req.pipe(outgoing);
  }
}
