/** The load generator, in its own process, so that its cost is not counted as a server's. */
import { setTimeout as wait } from 'node:timers/promises';
import autocannon from 'autocannon';
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

/** How often autocannon checks whether all requests are done. */
const SAMPLE_MS = 20;

const functions = {
  /** Sends each request once, over a number of connections, each of which waits for an answer before its next request. */
  saturate: async (volley: Volley, connections: number): Promise<Answered> => {
    const { url, requests } = prepared(volley);
    const took: number[] = [];
    const refused: number[] = [];
    let [first, last] = [Number.POSITIVE_INFINITY, 0];
    let connection = 0;
    const setupClient = (client: autocannon.Client) => {
      const from = connection++;
      client.setRequests(requests.filter((_, index) => index % connections === from));
      client.on('response', (status, _bytes, milliseconds) => {
        last = moment();
        first = Math.min(first, last - milliseconds);
        took.push(milliseconds);
        if (status !== 200) refused.push(status);
      });
    };
    const { errors, timeouts } = await autocannon({
      url,
      connections,
      amount: requests.length,
      sampleInt: SAMPLE_MS,
      setupClient,
    });
    if (refused.length + errors + timeouts > 0 || took.length !== requests.length)
      throw new Error(
        `${refused.length} answers were not 200 (${refused[0]}), ${errors} errors, ${timeouts} timeouts.`,
      );
    return { perSecond: (took.length / (last - first)) * 1000, ...percentiles(took) };
  },
  /**
   * Sends each request once, at an even pace, without waiting for earlier answers, and measures from sending to the answer. autocannon
   * would send all requests of a second at once.
   */
  pace: async (volley: Volley, perSecond: number): Promise<Answered> => {
    const { url, requests } = prepared(volley);
    const { origin } = new URL(url);
    const pool = new Pool(origin, { connections: 16, pipelining: 1 });
    const took: number[] = [];
    const startedAt = moment();
    const ask = async ({ path, ...request }: (typeof requests)[number], dueAt: number) => {
      await wait(Math.max(0, dueAt - moment()));
      const askedAt = moment();
      const { statusCode, body } = await pool.request({ ...request, path });
      await body.dump();
      if (statusCode !== 200) throw new Error(`An answer was ${statusCode}.`);
      took.push(moment() - askedAt);
    };
    await Promise.all(requests.map((request, index) => ask(request, startedAt + (index * 1000) / perSecond)));
    await pool.close();
    return { perSecond, ...percentiles(took) };
  },
};
offer(functions);

function prepared({ url, requests }: Volley) {
  const { pathname, origin } = new URL(url);
  return {
    url: origin,
    requests: requests.map(({ token, method, path, body }) => ({
      method,
      path: pathname + path,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
    })),
  };
}

function percentiles(took: number[]): Omit<Answered, 'perSecond'> {
  const sorted = took.toSorted((a, b) => a - b);
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), slowest: sorted.at(-1) ?? 0 };
}
