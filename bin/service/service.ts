import type { Server } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { readContract } from '../../core/contract.ts';
import type { Config } from '../../core/settings/config.ts';
import { createApiServer } from '../../http/edge/server.ts';
import { Heartbeat } from '../../jobs/conditions/heartbeat.ts';
import { type BuildOptions, build, type Parts } from './build.ts';
import { type Operators, openOperators, operatorsAddress } from './operators.ts';
import { listeningUrl, noteAddress } from './own-address.ts';
import { stopSteps } from './stop-steps.ts';

const DRAIN_STEP_MS = 50;
/** For the answers to requests that waited for a turn until the end. */
const LAST_ANSWERS_MS = 250;
/** How long a connection may be open without a first byte once no others are accepted. */
const SILENT_MS = 1_000;
const FIRST_REQUESTS_MS = 50;
/** How many turns of the event loop the last connections have to be accepted. */
const MAX_TURNS = 50;

export interface Service extends Parts {
  /** Public address, without the API's base path. */
  url: string;
  /** The address of probes and metrics. */
  operatorsUrl: string | undefined;
  /**
   * @param acceptMs how long to keep accepting connections
   */
  close(acceptMs?: number): Promise<void>;
}

/**
 * The API on its port and, by default, the workers in the same process. `close`:
 * 1. keeps accepting for `acceptMs`, during which each connection ends with its next answer;
 * 2. stops accepting, and lets requests finish;
 * 3. stops the workers, then the shared parts; probes and metrics are answered to the end.
 */
export async function startService(config: Config, options: BuildOptions = {}): Promise<Service> {
  // Refuses an unusable contract before the database is touched.
  readContract();
  // Loaded while the database connects.
  const [parts, { createApp }] = await Promise.all([build(config, options), import('../../http/app.ts')]);
  const steps = stopSteps(config.stop);
  let drainListening: (() => Promise<void>) | undefined;
  let operators: Operators | undefined;
  try {
    const { stopping } = options;
    const { runtime } = parts;
    const heartbeat = new Heartbeat(runtime, config.runWorkers ? 'API with workers' : 'API');
    operators = await openOperators(config, runtime, { runsWorkers: config.runWorkers, stopping, heartbeat });
    const ending = new AbortController();
    const { requestEnded } = operators ?? {};
    const app = createApp(runtime, config, { requestEnded, ending: ending.signal });
    const server = createApiServer(app, runtime.log, { ...config, stopping });
    const drain = drainer(server, steps.requestsMs, () => ending.abort());
    const port = await listen(server, config);
    drainListening = drain;
    const url = config.publicUrl ?? listeningUrl(config.host, port);
    parts.setPublicUrl(url);
    const removeAddress = await noteAddress(config, url);
    heartbeat.start(operatorsAddress(config, operators) ?? url);
    // Loading pg-boss blocks the event loop, and requests need it only to hand work over, so the first ones are answered before.
    if (config.database.dialect === 'postgres') await wait(FIRST_REQUESTS_MS);
    await runtime.queue.start([]);
    // Imported late, so that an API without workers does not load their modules.
    const stopWorkers =
      config.runWorkers && (await (await import('./work.ts')).startWork(config, runtime, operators?.loops));
    const close = async (acceptMs = 0) => {
      if (acceptMs > 0) await wait(acceptMs);
      await drain();
      await removeAddress();
      if (stopWorkers) await stopWorkers(steps);
      await heartbeat.stop();
      await operators?.settle();
      await parts.close();
      await operators?.close();
    };
    return { ...parts, url, operatorsUrl: operators?.url, close };
  } catch (error) {
    await drainListening?.();
    await operators?.close();
    await parts.close();
    throw error;
  }
}

function listen(server: Server, { host, port }: Config): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/**
 * @returns a function that refuses new connections, lets requests finish, and closes the remaining ones after `limitMs`:
 * 1. accept every connection that the system has accepted for us: closing the port resets the others;
 * 2. close the port, but no connection: its caller may be sending a request, whose answer ends it;
 * 3. close connections that have been silent for a second;
 * 4. let requests that still wait for a turn be refused, and close the rest.
 */
function drainer(server: Server, limitMs: number, refuseWaiting: () => void): () => Promise<void> {
  const open = new Set<Socket>();
  let accepted = 0;
  server.on('connection', (socket) => {
    accepted++;
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  // Clients open connections in advance: Node does not count them as idle before their first request.
  const closeSilent = () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.end();
  };
  const acceptAll = async () => {
    for (let turns = 0, before = -1; turns < MAX_TURNS && before !== accepted; turns++) {
      before = accepted;
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return async () => {
    await acceptAll();
    // `http.Server.close` would also close connections between two requests.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
    const silent = setTimeout(closeSilent, SILENT_MS);
    let idle: NodeJS.Timeout | undefined;
    const settled = setTimeout(() => {
      server.closeIdleConnections();
      idle = setInterval(() => server.closeIdleConnections(), DRAIN_STEP_MS);
    }, SILENT_MS);
    const refusing = setTimeout(refuseWaiting, limitMs - LAST_ANSWERS_MS);
    const force = setTimeout(() => server.closeAllConnections(), limitMs);
    await closed;
    for (const timer of [idle, silent, settled, refusing, force]) clearTimeout(timer);
    // Ends Node's own timers.
    server.close();
  };
}
