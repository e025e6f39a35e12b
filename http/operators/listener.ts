import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { OperatorSettings } from '../../core/settings/operator-settings.ts';
import type { ConditionWatch } from '../../jobs/conditions/watch.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { CLOSED } from '../edge/fixed-headers.ts';
import { boundIdle } from '../edge/idle-connections.ts';
import type { RequestEnded } from '../edge/request-log.ts';
import { cutStalled } from '../edge/stalled.ts';
import { measured } from './measured.ts';
import { processMetrics } from './process-metrics.ts';
import { isReady, readinessOf, type Watched } from './readiness.ts';
import { stateMetrics } from './state-metrics.ts';

/** Connections without a request. Probes and scrapes are few and short, and a console keeps one per page open. */
const MAX_IDLE = 100;
/** Connections in total. Far more than requests under way, so that idle ones are closed before any is refused. */
const MAX_CONNECTIONS = 1_000;
/** Scrapes within this time share one collection, which takes milliseconds of the event loop. */
const METRICS = { freshMs: 1_000, waitMs: 10_000 };
const SLOW_MS = 5_000;
/** For readers of the console's downloads on a slow line. */
const STALL_MS = 60_000;
/** The prefix of its paths. */
const CONSOLE = /^\/console(?![^/?])/;
const TEXT = 'text/plain; charset=utf-8';

export interface OperatorsListener {
  url: string;
  /** Called for each finished API request. */
  requestEnded: RequestEnded;
  /** Stops the parts that need the database; the listener keeps answering. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** The console, and a function that stops its background work. */
interface Served {
  serve: RequestListener;
  close(): Promise<void>;
}

type Operated = Pick<Runtime, 'db' | 'kinds' | 'now' | 'work' | 'log'> & Watched & { conditions: ConditionWatch };

/**
 * Serves operators on a separate port: `/livez` (the event loop turns), `/readyz` (requests may be sent here), and `/metrics` for
 * Prometheus. Each answers even while the database does not.
 * @param consoleAt creates the console, which is served below `/console/`, for the listener's address
 */
export async function listenForOperators(
  { port, host }: OperatorSettings,
  operated: Operated,
  consoleAt?: (url: string) => Served,
): Promise<OperatorsListener> {
  const ready = readinessOf(operated);
  const { registry, requestEnded } = processMetrics(operated);
  const state = stateMetrics(operated, ready);
  const metrics = measured(async () => `${await registry.metrics()}\n${await state()}`, METRICS);
  const pages: Record<string, () => Promise<Page>> = {
    '/livez': async () => ({ type: TEXT, body: 'ok\n' }),
    '/readyz': async () => {
      const readiness = await ready();
      const isWell = isReady(readiness);
      const failing = Object.fromEntries(Object.entries(readiness).filter(([, reason]) => reason !== null));
      const body = `${JSON.stringify({ ready: isWell, failing })}\n`;
      return { status: isWell ? 200 : 503, type: 'application/json', body };
    },
    '/metrics': async () => {
      const body = await metrics();
      if (body === undefined) throw new Error('The metrics were not collected in time.');
      return { type: registry.contentType, body };
    },
  };
  let console: Served | undefined;
  const probes = serve(pages, operated.log);
  const server = createServer({ headersTimeout: SLOW_MS, requestTimeout: SLOW_MS }, (req, res) => {
    if (console && CONSOLE.test(req.url ?? '')) console.serve(req, res);
    else probes(req, res);
  });
  server.maxConnections = MAX_CONNECTIONS;
  boundIdle(server, MAX_IDLE);
  const latest = new WeakMap<Socket, ServerResponse>();
  server.on('request', ({ socket }, res) => latest.set(socket, res));
  cutStalled(server, STALL_MS, (socket) => latest.get(socket));
  const reached = await listen(server, port, host);
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${reached}`;
  console = consoleAt?.(url);
  operated.log.info({ operators: url, console: console !== undefined }, 'operators listener started');
  return { url, requestEnded, settle: async () => console?.close(), close: () => closed(server) };
}

interface Page {
  status?: number;
  type: string;
  body: string;
}

function serve(pages: Record<string, () => Promise<Page>>, log: Runtime['log']): RequestListener {
  const pageFor = async (method: string | undefined, target: string): Promise<Page> => {
    const page = pages[target.split('?', 1)[0] ?? ''];
    if (!page) return { status: 404, type: TEXT, body: `There are ${Object.keys(pages).join(', ')}.\n` };
    if (method !== 'GET' && method !== 'HEAD') return { status: 405, type: TEXT, body: 'Only GET.\n' };
    return page();
  };
  return async (req, res) => {
    const {
      status = 200,
      type,
      body,
    } = await pageFor(req.method, req.url ?? '').catch((err) => {
      log.error({ err }, 'operators request failed');
      return { status: 500, type: TEXT, body: 'It failed; see the log.\n' };
    });
    res.writeHead(status, {
      ...CLOSED,
      'Content-Type': type,
      'Content-Length': Buffer.byteLength(body),
      'Cache-Control': 'no-store',
      ...(status === 405 ? { Allow: 'GET, HEAD' } : {}),
    });
    res.end(req.method === 'HEAD' ? undefined : body);
  };
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
