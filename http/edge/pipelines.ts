import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { lingerAtEnd } from './raw-refusal.ts';

/** Requests of a connection that are served at once. */
const AT_ONCE = 64;

/**
 * Requests that may wait behind those: more than one read of 64 KiB can bring. The last of them is answered with `Connection: close`, and
 * what follows is not read.
 */
const MOST_WAITING = 4000;

type Serve = (req: IncomingMessage, res: ServerResponse) => void;

interface Pipeline {
  underWay: number;
  /** The last that was served. */
  last?: ServerResponse;
  waiting: ServerResponse[];
}

/**
 * Serves the pipelined requests of a connection (RFC 9112, section 9.3.2) in batches, and none behind an answer that ends the connection.
 * Node parses whatever a read brings and would have all of it served at once: to keep the flood of a stranger in memory until it is
 * answered costs more than to refuse it.
 */
export class Pipelines {
  readonly #serve: Serve;
  readonly #bySocket = new WeakMap<Socket, Pipeline>();

  constructor(serve: Serve) {
    this.#serve = serve;
  }

  take({ socket }: IncomingMessage, res: ServerResponse): void {
    const pipeline = this.#of(socket);
    if (pipeline.underWay < AT_ONCE) this.#start(pipeline, res);
    else if (pipeline.waiting.length < MOST_WAITING && pipeline.waiting.push(res) === MOST_WAITING) {
      res.shouldKeepAlive = false;
      lingerAtEnd(socket);
      // Node reads on after each answer.
      socket.on('resume', () => socket.pause()).pause();
    }
  }

  #of(socket: Socket): Pipeline {
    const known = this.#bySocket.get(socket);
    if (known) return known;
    const pipeline: Pipeline = { underWay: 0, waiting: [] };
    this.#bySocket.set(socket, pipeline);
    return pipeline;
  }

  #start(pipeline: Pipeline, res: ServerResponse): void {
    // Its answer could not be sent, so it must have no effect.
    if (pipeline.last?.shouldKeepAlive === false) return;
    pipeline.last = res;
    pipeline.underWay += 1;
    // Answers go out in order: when the last of a batch has gone, all have.
    if (pipeline.underWay === AT_ONCE) res.once('close', () => this.#startBatch(pipeline));
    this.#serve(res.req, res);
  }

  #startBatch(pipeline: Pipeline): void {
    pipeline.underWay = 0;
    for (const res of pipeline.waiting.splice(0, AT_ONCE)) this.#start(pipeline, res);
  }
}
