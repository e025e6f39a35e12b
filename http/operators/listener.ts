import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OperatorSettings } from '../../core/settings/operator-settings.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import type { RequestEnded } from '../edge/request-log.ts';
import { processMetrics } from './process-metrics.ts';
import { isReady, readinessOf, type Watched } from './readiness.ts';
import { stateMetrics } from './state-metrics.ts';

/** Probes and scrapes are few and short. */
const MOST_CONNECTIONS = 100;
const SLOW_MS = 5_000;
const TEXT = 'text/plain; charset=utf-8';

export interface OperatorsListener {
  url: string;
  /** Takes requests to the API that ended. */
  requestEnded: RequestEnded;
  close(): Promise<void>;
}

type Operated = Pick<Runtime, 'db' | 'now' | 'work' | 'log'> & Watched;

/**
 * Serves operators on a port of its own: `/livez` (the event loop turns), `/readyz` (requests may be sent here), and `/metrics` for
 * Prometheus. Each answers while the database does not.
 */
export async function listenForOperators(
  { port, host }: OperatorSettings,
  operated: Operated,
): Promise<OperatorsListener> {
  const ready = readinessOf(operated);
  const { registry, requestEnded } = processMetrics(operated);
  const state = stateMetrics(operated, ready);
  const pages: Record<string, () => Promise<Page>> = {
    '/livez': async () => ({ type: TEXT, body: 'ok\n' }),
    '/readyz': async () => {
      const readiness = await ready();
      const isWell = isReady(readiness);
      const failing = Object.fromEntries(Object.entries(readiness).filter(([, reason]) => reason !== null));
      const body = `${JSON.stringify({ ready: isWell, failing })}\n`;
      return { status: isWell ? 200 : 503, type: 'application/json', body };
    },
    '/metrics': async () => ({
      type: registry.contentType,
      body: `${await registry.metrics()}\n${await state()}`,
    }),
  };
  const server = createServer({ headersTimeout: SLOW_MS, requestTimeout: SLOW_MS }, serve(pages, operated.log));
  server.maxConnections = MOST_CONNECTIONS;
  const reached = await listen(server, port, host);
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${reached}`;
  operated.log.info({ operators: url }, 'serving probes and metrics');
  return { url, requestEnded, close: () => closed(server) };
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
      log.error({ err }, 'operators not answered');
      return { status: 500, type: TEXT, body: 'It failed; see the log.\n' };
    });
    res.writeHead(status, {
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
