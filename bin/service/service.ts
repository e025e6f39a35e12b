import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { readContract } from '../../core/contract.ts';
import type { Config } from '../../core/settings/config.ts';
import { createApiServer } from '../../http/edge/server.ts';
import { type BuildOptions, build, type Parts } from './build.ts';

const DRAIN_MS = 10_000;
const DRAIN_STEP_MS = 50;
const FIRST_REQUESTS_MS = 50;

export interface Service extends Parts {
  /** Public address, without the API's base path. */
  url: string;
}

/** The API on its port and, by default, the workers in the same process. `close` drains both. */
export async function startService(config: Config, options: BuildOptions = {}): Promise<Service> {
  // Refuses an unusable contract before the database is touched.
  readContract();
  // Loaded while the database connects.
  const [parts, { createApp }] = await Promise.all([build(config, options), import('../../http/app.ts')]);
  let listening: Server | undefined;
  try {
    const server = createApiServer(createApp(parts.runtime, config), parts.runtime.log, config);
    const port = await listen(server, config);
    listening = server;
    const url = config.publicUrl ?? `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
    parts.setPublicUrl(url);
    // Loading pg-boss blocks the event loop, and requests need it only to hand work over: the first are answered before.
    if (config.database.dialect === 'postgres') await wait(FIRST_REQUESTS_MS);
    await parts.runtime.queue.start({});
    // Imported late: an API without workers is spared their modules.
    const stopWorkers = config.runWorkers && (await (await import('./work.ts')).startWorkers(parts.runtime));
    const close = async () => {
      await drain(server);
      if (stopWorkers) await stopWorkers();
      await parts.close();
    };
    return { ...parts, url, close };
  } catch (error) {
    if (listening) await drain(listening);
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

/** Refuses new connections, lets requests finish, and after `DRAIN_MS` closes the rest. */
async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), DRAIN_STEP_MS);
  const force = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(force);
}
