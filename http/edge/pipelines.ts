import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { lingerAtEnd } from './raw-refusal.ts';

/** Requests per connection that are served concurrently. */
const MAX_CONCURRENCY = 64;

/**
 * The queue limit for pipelined requests: more than one 64 KiB read can contain. The last queued request is answered with `Connection:
 * close`, and anything after it is not read.
 */
const MAX_WAITING = 4000;

type Serve = (req: IncomingMessage, res: ServerResponse) => void;

interface Pipeline {
  inFlight: number;
  /** The last request that was served. */
  last?: ServerResponse;
  waiting: ServerResponse[];
}

/**
 * Serves the pipelined requests of a connection (RFC 9112, section 9.3.2) in batches, and no request after an answer that ends the
 * connection.
 * Node parses everything in a read and would serve it all at once; buffering an unauthenticated flood until it is answered costs more than
 * refusing it.
 */
export class Pipelines {
  readonly #serve: Serve;
  readonly #bySocket = new WeakMap<Socket, Pipeline>();

  constructor(serve: Serve) {
    this.#serve = serve;
  }

  take({ socket }: IncomingMessage, res: ServerResponse): void {
    const pipeline = this.#of(socket);
    if (pipeline.inFlight < MAX_CONCURRENCY) this.#start(pipeline, res);
    else if (pipeline.waiting.length < MAX_WAITING && pipeline.waiting.push(res) === MAX_WAITING) {
      res.shouldKeepAlive = false;
      lingerAtEnd(socket);
      // Node resumes reading after each answer.
      socket.on('resume', () => socket.pause()).pause();
    }
  }

  #of(socket: Socket): Pipeline {
    const known = this.#bySocket.get(socket);
    if (known) return known;
    const pipeline: Pipeline = { inFlight: 0, waiting: [] };
    this.#bySocket.set(socket, pipeline);
    return pipeline;
  }

  #start(pipeline: Pipeline, res: ServerResponse): void {
    // Its answer could not be sent, so the request must have no effect.
    if (pipeline.last?.shouldKeepAlive === false) return;
    pipeline.last = res;
    pipeline.inFlight += 1;
    // Answers are sent in order: once the last of a batch is sent, all are.
    if (pipeline.inFlight === MAX_CONCURRENCY) res.once('close', () => this.#startBatch(pipeline));
    this.#serve(res.req, res);
  }

  #startBatch(pipeline: Pipeline): void {
    pipeline.inFlight = 0;
    for (const res of pipeline.waiting.splice(0, MAX_CONCURRENCY)) this.#start(pipeline, res);
  }
}
