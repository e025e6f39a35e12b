import { connect } from 'node:net';
import { type Mark, type Result, rounded } from '../result.ts';
import type { Prepared } from './prepared.ts';
import { service } from './programs.ts';
import { type Program, Server } from './server.ts';
import { sandbox } from './settings.ts';

const bare: Program = { name: 'bare node:http', file: 'bench/api/bare.ts' };
/** A sandbox, which has every page and every provider. */
const flooded: Program = { ...service, env: { ...sandbox, RUN_WORKERS: 'false' } };

const REQUESTS = 5_000;
const AT_ONCE = 100;
const STATUS_LINE = 'HTTP/1.1 4';
/** Refused before any look-up. */
const MOST = 3;
/** Refused after a database look-up, or a digest of the link. */
const MAX_PER_LOOKUP = 8;

const LINK = '6f0f2a4e-7f51-4f0e-9a67-5b1e8d4c9a10.abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq';
const WORKSPACES = '/api/v1/property-management/workspaces';
const UNKNOWN_CLIENT = `Basic ${Buffer.from('nothing:wrong').toString('base64')}`;

interface Flood {
  name: string;
  request: string;
  most: number;
}

function request(line: string, ...headers: string[]): string {
  return [`${line} HTTP/1.1`, 'Host: api', ...headers, '', ''].join('\r\n');
}

const unlooked: Record<string, string> = {
  'no token': request(`GET ${WORKSPACES}`),
  'a forged token': request(`GET ${WORKSPACES}`, 'Authorization: Bearer a.b.c'),
  'no client_id': request('POST /api/v1/authenticate/token', 'Content-Length: 0'),
  'an unknown path': request('GET /nothing'),
  'an unknown method': request(`PUT ${WORKSPACES}`),
  'a message in the name of a provider': request('POST /providers/kyc', 'Content-Length: 0'),
};
const looked: Record<string, string> = {
  'an unknown client_id': request(
    'POST /api/v1/authenticate/token',
    `Authorization: ${UNKNOWN_CLIENT}`,
    'Content-Length: 0',
  ),
  ...Object.fromEntries(
    ['invitation', 'onboarding', 'verify/kyc', 'verify/eid'].map((place) => [
      `an unknown link below /${place}`,
      request(`GET /${place}/${LINK}`),
    ]),
  ),
};
const listed = (requests: Record<string, string>, most: number): Flood[] =>
  Object.entries(requests).map(([name, request]) => ({ name, request, most }));
const floods = [...listed(unlooked, MOST), ...listed(looked, MAX_PER_LOOKUP)];

/**
 * The cost of unauthenticated callers: one connection with pipelined requests that are refused, beside the same against bare `node:http`.
 */
export async function measureFloods(prepared: Prepared, rounds: number): Promise<Result> {
  const theirs = await Server.start(bare, prepared);
  const ours = await Server.start(flooded, prepared);
  try {
    const found: (Flood & Record<'bare' | 'ours', number>)[] = [];
    for (const flood of floods) {
      // The minimum of each, because other load only adds to it.
      const least = { bare: Number.POSITIVE_INFINITY, ours: Number.POSITIVE_INFINITY };
      for (let round = 0; round < rounds; round++) {
        least.ours = Math.min(least.ours, await microsARequest(ours, flood.request));
        least.bare = Math.min(least.bare, await microsARequest(theirs, flood.request));
      }
      found.push({ ...flood, ...least });
    }
    return {
      title: `${prepared.place.name}: floods without credentials`,
      rows: found.map(({ name, bare: cheapest, ours: cost }) => ({
        flood: name,
        cpu_us_a_request: rounded(cost),
        bare_cpu_us: rounded(cheapest),
        times: rounded(cost / cheapest),
      })),
      marks: found.map(
        ({ name, most, bare: cheapest, ours: cost }): Mark => ({
          database: prepared.place.name,
          promise: `flood, ${name}, to bare node:http`,
          value: cost / cheapest,
          limit: { most },
        }),
      ),
      note: `One connection, ${REQUESTS} requests, up to ${4 * AT_ONCE} ahead of their answers; the least of ${rounds} rounds.`,
    };
  } finally {
    await Promise.all([theirs.end(), ours.end()]);
  }
}

async function microsARequest(server: Server, request: string): Promise<number> {
  const before = await server.usage();
  await flood(server.url, request);
  return ((await server.usage()).cpuMicros - before.cpuMicros) / REQUESTS;
}

function flood(url: string, request: string): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let sent = 0;
    let answered = 0;
    let rest = '';
    const socket = connect(Number(port), hostname).setEncoding('latin1').on('error', reject);
    const send = () => {
      for (; sent < REQUESTS && sent - answered < 4 * AT_ONCE; sent += AT_ONCE) socket.write(request.repeat(AT_ONCE));
    };
    socket.on('data', (text: string) => {
      const parts = (rest + text).split(STATUS_LINE);
      answered += parts.length - 1;
      rest = parts.at(-1)?.slice(1 - STATUS_LINE.length) ?? '';
      if (answered >= REQUESTS) socket.destroy();
      else send();
    });
    socket.on('close', () => (answered >= REQUESTS ? resolve() : reject(new Error(`Only ${answered} answers.`))));
    send();
  });
}
