import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RunningServer {
  url: string;
  stop(): Promise<void>;
}

/** Serves on this machine alone. @throws when the port is taken */
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

/** Lets browser apps of any origin call the mock, and answers their preflights. */
export function allowBrowsers({ method, headers }: IncomingMessage, res: ServerResponse, next: () => void): void {
  res.setHeader('Access-Control-Allow-Origin', '*');
  res.setHeader('Access-Control-Allow-Methods', 'GET, POST, PATCH, DELETE');
  res.setHeader('Access-Control-Allow-Headers', headers['access-control-request-headers'] ?? '*');
  res.setHeader('Access-Control-Expose-Headers', '*');
  if (method === 'OPTIONS') res.writeHead(204).end();
  else next();
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
