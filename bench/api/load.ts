/** The load generator, in its own process, so that its cost is not counted as a server's. */
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import { moment, offer } from '../remote.ts';
import { percentile } from '../result.ts';

/** One request or many, each sent once before the first is sent again. */
export interface Volley {
  /** With the base path of the API. */
  url: string;
  requests: { token: string; method: 'GET' | 'POST' | 'PATCH'; path: string; body?: string }[];
}

export interface Answered {
  perSecond: number;
  /** In milliseconds. */
  p50: number;
  p99: number;
  slowest: number;
}

export type Load = typeof functions;

const PACED_CONNECTIONS = 16;
const JSON_BODY = { 'content-type': 'application/json' };

const functions = {
  /** Sends each request once, over a number of connections, each of which waits for an answer before its next request. */
  saturate: async (volley: Volley, connections: number): Promise<Answered> => {
    const client = clientOf(volley, connections);
    const waiting = volley.requests.values();
    const took: number[] = [];
    const startedAt = moment();
    await Promise.all(
      Array.from({ length: connections }, async () => {
        for (const request of waiting) took.push(await client.send(request));
      }),
    );
    const perSecond = (took.length / (moment() - startedAt)) * 1000;
    await client.close();
    return { perSecond, ...percentiles(took) };
  },
  /** Sends each request once, at an even pace, without waiting for earlier answers, and measures from sending to the answer. */
  pace: async (volley: Volley, perSecond: number): Promise<Answered> => {
    const client = clientOf(volley, PACED_CONNECTIONS);
    const startedAt = moment();
    const took = await Promise.all(
      volley.requests.map(async (request, index) => {
        await wait(Math.max(0, startedAt + (index * 1000) / perSecond - moment()));
        return client.send(request);
      }),
    );
    await client.close();
    return { perSecond, ...percentiles(took) };
  },
};
offer(functions);

function clientOf({ url }: Volley, connections: number) {
  const { pathname, origin } = new URL(url);
  const pool = new Pool(origin, { connections, pipelining: 1 });
  return {
    /** @returns how long the answer took, in milliseconds @throws when it is not 200 */
    send: async ({ token, method, path, body }: Volley['requests'][number]): Promise<number> => {
      const sentAt = moment();
      const headers = { authorization: `Bearer ${token}`, ...(body === undefined ? {} : JSON_BODY) };
      const answer = await pool.request({ method, path: pathname + path, headers, body: body ?? null });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`An answer was ${answer.statusCode}.`);
      return moment() - sentAt;
    },
    close: () => pool.close(),
  };
}

function percentiles(took: number[]): Omit<Answered, 'perSecond'> {
  const sorted = took.toSorted((a, b) => a - b);
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), slowest: sorted.at(-1) ?? 0 };
}
