import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RunningServer } from '../../harness/process/running-server.ts';

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

const DEFAULT_PORT = 4010;

/** Runs a server for `npm run <name>`: prints a greeting, stops at Ctrl-C. */
export async function runOnPort(
  name: string,
  start: (port: number) => Promise<RunningServer>,
  greeting: (url: string) => string,
): Promise<void> {
  const port = Number(process.env['PORT'] || DEFAULT_PORT);
  try {
    const server = await start(port);
    console.log(greeting(server.url));
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => void server.stop().then(() => process.exit(0)));
  } catch (error) {
    const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    console.error(
      taken
        ? `Port ${port} is taken. Take another: PORT=${port + 1} npm run ${name}`
        : `Cannot start: ${messageOf(error)}`,
    );
    process.exit(1);
  }
}
