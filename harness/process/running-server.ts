import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';

export interface RunningServer {
  url: string;
  stop(): Promise<void>;
}

/** Listens on this machine only. @throws when the port is in use */
export async function listen(server: Server, port: number): Promise<RunningServer> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Below the ephemeral ports, one of which any other program may be given before this one is used. */
const [MIN_PORT, PORTS] = [12_000, 20_000];

/** A port that was free a moment ago, for a program that does not report which one it uses. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = MIN_PORT + randomInt(PORTS);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
