import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request, read whole. */
export interface Incoming {
  method: string;
  /** Path and query, as sent. */
  target: string;
  headers: Record<string, string>;
  text: string;
}

export interface Outgoing {
  status: number;
  headers?: Record<string, string | string[]>;
  body: unknown;
}

export interface RunningServer {
  url: string;
  stop(): Promise<void>;
}

/** A local server whose answers a browser app of any origin may read. @throws when the port is taken */
export async function serve(port: number, answer: (request: Incoming) => Promise<Outgoing>): Promise<RunningServer> {
  const server = createServer((req, res) => {
    allowBrowsers(req, res);
    if (req.method === 'OPTIONS') return void res.writeHead(204).end();
    read(req)
      .then(answer)
      .catch((error) => ({
        status: 502,
        body: { status: 'error', message: `Prism could not answer: ${messageOf(error)}` },
      }))
      .then((outgoing) => write(res, outgoing));
  });
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

function allowBrowsers({ headers }: IncomingMessage, res: ServerResponse): void {
  res.setHeader('Access-Control-Allow-Origin', '*');
  res.setHeader('Access-Control-Allow-Methods', 'GET, POST, PATCH, DELETE');
  res.setHeader('Access-Control-Allow-Headers', headers['access-control-request-headers'] ?? '*');
  res.setHeader('Access-Control-Expose-Headers', '*');
}

async function read(req: IncomingMessage): Promise<Incoming> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  const headers = Object.fromEntries(Object.entries(req.headers).map(([name, value]) => [name, String(value)]));
  return { method: req.method ?? 'GET', target: req.url ?? '/', headers, text: Buffer.concat(chunks).toString() };
}

/** The length and the encoding are those of what is written here, whatever a service behind it said. */
function write(res: ServerResponse, { status, headers = {}, body }: Outgoing): void {
  const given = Object.entries(headers).filter(
    ([name]) => !/^(content-(length|encoding)|access-control-.*)$/i.test(name),
  );
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  res.setHeader('Content-Type', 'application/json');
  for (const [name, value] of given) res.setHeader(name, value);
  res.writeHead(status).end(text);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
