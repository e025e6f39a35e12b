import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { ToolFault } from '../faults.ts';
import type { Message } from './delivery.ts';

const LIMIT_BYTES = 1_000_000;
const CLOSE_MS = 500;
const FORWARDED = /^(webhook-.+|content-type|user-agent)$/;

/** Takes what the service sends and says which status it gets. */
export type Take = (message: Message, respond: (status: number) => void) => void;

/** The port that the service delivers to. A request to another path belongs to another webhook and gets 404. */
export class Inlet {
  readonly port: number;
  private readonly server: Server;
  private path = '';
  private take: Take | undefined;

  private constructor(server: Server, port: number) {
    this.server = server;
    this.port = port;
    server.on('request', (request, response) => void this.receive(request, response));
  }

  /** @throws ToolFault when the port is taken */
  static async open(port: number): Promise<Inlet> {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(refusal(error, port)));
      server.listen(port, '127.0.0.1', resolve);
    });
    const address = server.address();
    return new Inlet(server, typeof address === 'object' && address !== null ? address.port : port);
  }

  serve(url: string, take: Take): void {
    this.path = new URL(url).pathname;
    this.take = take;
  }

  /** Flushes answers that were just given, and closes all other connections. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    await Promise.race([closed, wait(CLOSE_MS)]);
    this.server.closeAllConnections();
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const respond = (status: number) => void response.writeHead(status).end();
    if (!this.take) return respond(503);
    if (request.url !== this.path || request.method !== 'POST') return respond(404);
    try {
      this.take({ headers: forwarded(request), body: await bodyOf(request) }, respond);
    } catch {
      respond(400);
    }
  }
}

function forwarded({ headers }: IncomingMessage): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => FORWARDED.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

/** @throws when the body is too large or ends early */
async function bodyOf(request: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > LIMIT_BYTES) throw new Error('The body is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function refusal(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new ToolFault(
      `port ${port} is taken, perhaps by another \`npm run listen\`. Stop that one, or take another port: npm run listen -- --port ${port + 1}`,
    );
  return new ToolFault(`cannot listen on port ${port} (${error.code}). Take another one with --port.`);
}
