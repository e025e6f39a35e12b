import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { signal } from '../process/signals.ts';

/** What to do with a connection each time a whole request has arrived. */
export type Behaviour = (socket: Socket, request: string) => void;

/** A server that need not speak HTTP: tests script its answers byte by byte. It counts connections and requests. */
export class HostileReceiver {
  connections = 0;
  readonly requests: string[] = [];
  /** How many bytes of answers were read. */
  sentBytes = 0;
  port = 0;
  readonly closed: Promise<void>[] = [];
  private readonly open = new Set<Socket>();
  private readonly server: Server;

  private constructor(behaviour: Behaviour, tls: TlsOptions | undefined, atOnce: Behaviour | undefined) {
    const serve = (socket: Socket) => this.serve(socket, behaviour, atOnce);
    this.server = tls ? createTlsServer(tls, serve) : createServer(serve);
    // With TLS, a handshake that the other side aborts counts as a connection.
    if (tls) this.server.on('connection', (socket: Socket) => this.welcome(socket));
    this.server.on('tlsClientError', () => {});
  }

  /**
   * @param atOnce what to do when a connection opens, before any request
   */
  static async start(
    behaviour: Behaviour,
    {
      tls,
      atOnce,
      host = '127.0.0.1',
      port = 0,
    }: { tls?: TlsOptions; atOnce?: Behaviour; host?: string; port?: number } = {},
  ): Promise<HostileReceiver> {
    const receiver = new HostileReceiver(behaviour, tls, atOnce);
    await new Promise<void>((resolve) => receiver.server.listen(port, host, resolve));
    receiver.port = (receiver.server.address() as AddressInfo).port;
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  private serve(socket: Socket, behaviour: Behaviour, atOnce: Behaviour | undefined): void {
    if (!('encrypted' in socket)) this.welcome(socket);
    let text = '';
    socket.on('error', () => {});
    socket.on('close', () => {
      this.sentBytes += socket.bytesWritten;
    });
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const bodyAt = text.indexOf('\r\n\r\n') + 4;
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (bodyAt < 4 || text.length < bodyAt + length) return;
      this.requests.push(text);
      signal();
      behaviour(socket, text);
      text = '';
    });
    atOnce?.(socket, '');
  }

  private welcome(socket: Socket): void {
    this.connections++;
    this.open.add(socket);
    this.closed.push(new Promise((resolve) => socket.on('close', () => resolve())));
    socket.on('error', () => {});
  }

  async stop(): Promise<void> {
    for (const socket of this.open) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Writes an answer with a body of known length. */
export function answer(status: string, headers: Record<string, string> = {}, body: string | Buffer = ''): Behaviour {
  const lines = Object.entries({ 'content-length': String(Buffer.byteLength(body)), ...headers });
  const head = [`HTTP/1.1 ${status}`, ...lines.map(([name, value]) => `${name}: ${value}`)].join('\r\n');
  return (socket) => socket.write(Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), Buffer.from(body)]));
}

/** Writes one byte after another until the other side has had enough. */
export function drip(start: string, rest: string, everyMs: number): Behaviour {
  return (socket) => {
    socket.write(start);
    let index = 0;
    const timer = setInterval(() => socket.write(rest[index++ % rest.length] ?? ''), everyMs);
    socket.on('close', () => clearInterval(timer));
  };
}

/** Writes as fast as the client reads, forever or up to a size. */
export function flood(start: string, chunk: Buffer, upToBytes = Number.POSITIVE_INFINITY): Behaviour {
  return (socket) => {
    socket.write(start);
    let sent = 0;
    const more = () => {
      while (sent < upToBytes && !socket.destroyed) {
        sent += chunk.length;
        if (!socket.write(chunk)) return;
      }
    };
    socket.on('drain', more);
    more();
  };
}
