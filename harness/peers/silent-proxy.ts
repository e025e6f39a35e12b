import { connect, createServer, type Server, type Socket } from 'node:net';
import { signal } from '../process/signals.ts';

interface State {
  /** The database. */
  target: URL;
  isSilent: boolean;
  isRefusing: boolean;
  lost: number;
  /** The next statement is lost, and what follows is forwarded. */
  isLosingOne: boolean;
  /** Between the database and the service. */
  delayMs: number;
}

/** Sits between the service and its database: forwards bytes, or discards them while both ends believe that they arrived. */
export class SilentProxy {
  readonly url: string;
  readonly #server: Server;
  readonly #sockets: Set<Socket>;
  readonly #state: State;

  private constructor(url: string, server: Server, sockets: Set<Socket>, state: State) {
    this.url = url;
    this.#server = server;
    this.#sockets = sockets;
    this.#state = state;
  }

  static async start(databaseUrl: string): Promise<SilentProxy> {
    const sockets = new Set<Socket>();
    const state: State = {
      target: new URL(databaseUrl),
      isSilent: false,
      isRefusing: false,
      lost: 0,
      isLosingOne: false,
      delayMs: 0,
    };
    const loseOne = (bytes: Buffer): Buffer => {
      if (!state.isLosingOne) return bytes;
      state.isLosingOne = false;
      return bytes.subarray(endOfStatement(bytes));
    };
    const forward = (from: Socket, to: Socket, kept = (bytes: Buffer) => bytes, delayMs = () => 0) => {
      sockets.add(from);
      from.on('data', (bytes) => {
        if (state.isSilent) {
          state.lost += bytes.length;
          signal();
        } else if (delayMs() > 0) setTimeout(() => to.write(bytes), delayMs());
        else to.write(kept(bytes));
      });
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    };
    const server = createServer((client) => {
      if (state.isRefusing) return client.destroy();
      const database = connect(Number(state.target.port), state.target.hostname);
      forward(client, database, loseOne);
      forward(database, client, undefined, () => state.delayMs);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
    const url = new URL(databaseUrl);
    url.host = `127.0.0.1:${address.port}`;
    return new SilentProxy(url.href, server, sockets, state);
  }

  /** From now on, discards everything. */
  fallSilent(): void {
    this.#state.isSilent = true;
  }

  /** From now on, each answer arrives this much later. */
  delayAnswers(ms: number): void {
    this.#state.delayMs = ms;
  }

  /** Discards one statement, and forwards those behind it. */
  loseStatement(): void {
    this.#state.isLosingOne = true;
  }

  /** How many bytes were discarded so far. */
  get lost(): number {
    return this.#state.lost;
  }

  speakAgain(): void {
    this.#state.isSilent = false;
  }

  /** Ends all connections; new ones lead to another server. */
  leadTo(databaseUrl: string): void {
    this.#state.target = new URL(databaseUrl);
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Ends every connection, and new ones immediately, like a server that is starting or stopping. */
  refuse(): void {
    this.#state.isRefusing = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  accept(): void {
    this.#state.isRefusing = false;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const SYNC = 'S'.charCodeAt(0);

/** A statement ends with Sync. Each message has a byte for its type, followed by its length without that byte. */
function endOfStatement(bytes: Buffer): number {
  for (let at = 0; at < bytes.length; ) {
    const type = bytes[at];
    at += 1 + bytes.readUInt32BE(at + 1);
    if (type === SYNC) return at;
  }
  throw new Error('The statement was sent in several parts.');
}
