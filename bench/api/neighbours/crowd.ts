/** Callers in a process of their own, whose answers may be anything: what counts is how long another one waits. */
import { constants, setPriority } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { Pool } from 'undici';
import { Receiver } from '../../../harness/peers/receiver.ts';
import type { RouteRequest } from '../../../harness/service/every-route.ts';
import { moment, offer } from '../../remote.ts';
import { percentile } from '../../result.ts';

export type Crowd = typeof functions;

export interface Looked {
  /** In milliseconds. */
  p50: number;
  p99: number;
  /** How many answers were no success, which is 200 for all but uploads. */
  failed: number;
}

/** Connections that are opened at once delay each other. */
const MAX_WARM_UP_MS = 10_000;

let stop: (() => Promise<void>) | undefined;
let statuses: Promise<number[]> | undefined;
let unanswered = 0;

/** The longest time that an inspection of an upload may wait. */
const PATIENCE = { headersTimeout: 20 * 60_000, bodyTimeout: 20 * 60_000 };

async function send(pool: Pool, { method, path, headers, body }: RouteRequest): Promise<number> {
  const answer = await pool.request({ method, path, headers, body: body ?? null });
  await answer.body.dump({ limit: Number.MAX_SAFE_INTEGER });
  return answer.statusCode;
}

const functions = {
  /** Keeps a number of requests under way until `calm`. @returns once each connection has had an answer, or after a while */
  flood: async (url: string, request: RouteRequest, connections: number): Promise<void> => {
    // Callers have machines of their own: these are not to take a core from the service.
    setPriority(constants.priority.PRIORITY_LOW);
    const pool = new Pool(url, { connections, pipelining: 1 });
    let isOver = false;
    const answered = Array.from({ length: connections }, () => Promise.withResolvers<void>());
    const callers = answered.map(async ({ resolve }) => {
      while (!isOver) {
        await send(pool, request).catch(() => setImmediate());
        resolve();
      }
    });
    stop = async () => {
      isOver = true;
      await Promise.all(callers);
      await pool.close();
    };
    const all = Promise.all(answered.map(({ promise }) => promise));
    await Promise.race([all, new Promise((resolve) => setTimeout(resolve, MAX_WARM_UP_MS).unref())]);
  },
  calm: async (): Promise<void> => {
    await stop?.();
    stop = undefined;
  },
  /** Sends all of them at once, each on a connection of its own. */
  burst: async (url: string, requests: readonly RouteRequest[]): Promise<void> => {
    const pool = new Pool(url, { connections: requests.length, pipelining: 1, ...PATIENCE });
    unanswered = requests.length;
    const sent = requests.map(async (request) => {
      const status = await send(pool, request).catch(() => 0);
      unanswered--;
      return status;
    });
    statuses = Promise.all(sent).finally(() => pool.close());
  },
  /** @returns the statuses of the burst once each has been answered; 0 for a connection that was reset */
  answers: async (): Promise<number[]> => (await statuses) ?? [],
  unanswered: (): number => unanswered,
  /** Asks, and reads no answer until `calm`. */
  askOnly: async (url: string, requests: readonly RouteRequest[]): Promise<void> => {
    const pool = new Pool(url, { connections: requests.length, pipelining: 1 });
    const asked = requests.map(({ method, path, headers }) => pool.request({ method, path, headers }));
    const bodies = await Promise.all(asked.map(async (answer) => (await answer).body));
    stop = async () => {
      for (const body of bodies) body.destroy();
      await pool.destroy();
    };
  },
  /** Answers every webhook. @returns its address */
  receive: async (): Promise<string> => (await Receiver.start()).url,
  /** One request after the other. */
  look: async (url: string, request: RouteRequest, times: number, success = 200): Promise<Looked> => {
    const pool = new Pool(url, { connections: 1, pipelining: 1 });
    const took: number[] = [];
    let failed = 0;
    for (let time = 0; time < times; time++) {
      const sentAt = moment();
      const status = await send(pool, request).catch(() => 0);
      took.push(moment() - sentAt);
      if (status !== success) failed++;
    }
    await pool.close();
    const sorted = took.toSorted((a, b) => a - b);
    return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), failed };
  },
};
offer(functions);
