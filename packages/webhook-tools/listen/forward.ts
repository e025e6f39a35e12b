import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Message } from './delivery.ts';

/** A receiver's answer to one request. */
export interface Reply {
  /** undefined when the receiver gave no answer. */
  status: number | undefined;
  /** Why the receiver gave no answer. */
  fault: string | undefined;
  /** Nothing listens at the receiver's address. */
  isAway: boolean;
  durationMs: number;
}

export type Forward = (message: Message, pace?: Pace) => Promise<Reply>;

/** In words, for a reply without a status. */
export function noAnswer({ fault, isAway }: Reply): string {
  return `${isAway ? 'nothing listens there' : 'no answer'} (${fault})`;
}

/** How a body is sent: as a whole, or in pieces with pauses between them. */
export type Pace = 'at once' | 'slowly';

/** As long as the service waits. */
export const ATTEMPT_TIMEOUT_MS = 15_000;
const PIECES = 5;
const PAUSE_MS = 300;
const READ_LIMIT_BYTES = 16 * 1024;

/** Sends exactly what is given, waits as long as the service would, and follows no redirect. */
export function forwarder(url: string): Forward {
  // Each request has its own connection: on a connection that the receiver just closed, a request would fail.
  const agent = new Agent({ connect: { timeout: ATTEMPT_TIMEOUT_MS }, pipelining: 0 });
  return async ({ headers, body }, pace = 'at once') => {
    const startedAt = performance.now();
    const signal = AbortSignal.timeout(ATTEMPT_TIMEOUT_MS);
    const durationMs = () => Math.round(performance.now() - startedAt);
    try {
      const answer = await request(url, {
        method: 'POST',
        headers: { ...headers, 'content-length': String(body.length) },
        body: pace === 'slowly' ? Readable.from(pieces(body)) : body,
        dispatcher: agent,
        signal,
      });
      await answer.body.dump({ limit: READ_LIMIT_BYTES, signal }).catch(() => {});
      return { status: answer.statusCode, fault: undefined, isAway: false, durationMs: durationMs() };
    } catch (error) {
      const code = signal.aborted ? `none within ${ATTEMPT_TIMEOUT_MS / 1000} s` : codeOf(error);
      return { status: undefined, fault: code, isAway: code === 'ECONNREFUSED', durationMs: durationMs() };
    }
  };
}

async function* pieces(body: Buffer): AsyncGenerator<Buffer> {
  const size = Math.ceil(body.length / PIECES);
  for (let from = 0; from < body.length; from += size) {
    if (from > 0) await wait(PAUSE_MS);
    yield body.subarray(from, from + size);
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
