import { rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type ListenOptions, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '../../core/ids.ts';

/** The test file of the European Institute for Computer Antivirus Research, in two parts, because scanners remove this source file otherwise. */
export const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');

const MIB = 2 ** 20;

/** How it fails: as a hanging process, one that ends during a scan, one that has nothing to scan with, and one that talks nonsense. */
export type ScannerFault = 'silent' | 'ends' | 'no memory' | 'nonsense';

/** clamd's protocol, as in clamd(8), as strictly as clamd reads it: a length that is missing or wrong ends the session without an answer. */
export class VirusScanner {
  /** The documents that were scanned. */
  readonly scanned: Buffer[] = [];
  /** What it takes for a virus. */
  readonly signatures = [EICAR];
  fault: ScannerFault | undefined;
  signaturesFrom: Date | undefined = new Date();
  maxBytes = 25 * MIB;
  /** The most sessions at once. */
  most = 0;
  /** Called when a whole document has arrived, before it is answered. */
  onScan: (() => Promise<void> | void) | undefined;
  readonly #sockets = new Set<Socket>();
  readonly #at: ListenOptions;
  #server: Server | undefined;
  #port = 0;

  private constructor(at: ListenOptions) {
    this.#at = at;
  }

  static async start({ isLocal = false } = {}): Promise<VirusScanner> {
    const at = isLocal ? { path: join(tmpdir(), `${newId()}.ctl`) } : { port: 0, host: '127.0.0.1' };
    const scanner = new VirusScanner(at);
    await scanner.listen();
    return scanner;
  }

  get env() {
    const { path } = this.#at;
    return { VIRUS_SCANNER: path ? `unix:${path}` : `tcp://127.0.0.1:${this.#port}` };
  }

  /** Again at the same address. */
  async listen(): Promise<void> {
    const server = createServer((socket) => this.#serve(socket));
    const at = this.#at.path ? this.#at : { ...this.#at, port: this.#port };
    await new Promise<void>((resolve) => server.listen(at, resolve));
    this.#server = server;
    if (!this.#at.path) this.#port = (server.address() as AddressInfo).port;
  }

  /** Nothing listens any more. */
  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server?.close(resolve));
    if (this.#at.path) await rm(this.#at.path, { force: true });
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    this.most = Math.max(this.most, this.#sockets.size);
    socket.on('error', () => {}).once('close', () => this.#sockets.delete(socket));
    if (this.fault === 'silent') return;
    let received = Buffer.alloc(0);
    let document: Buffer[] | undefined;
    const answer = (text: string) => socket.end(`${text}\0`);
    const read = () => {
      if (!document) {
        const end = received.indexOf(0);
        if (end < 0) return;
        const command = received.toString('latin1', 0, end);
        received = received.subarray(end + 1);
        if (command === 'zVERSION') return void answer(this.#version());
        if (command !== 'zINSTREAM') return void answer('UNKNOWN COMMAND');
        document = [];
      }
      while (received.length >= 4) {
        const length = received.readUInt32BE(0);
        if (length === 0) return void this.#scan(socket, Buffer.concat(document), answer);
        if (length + document.reduce((sum, piece) => sum + piece.length, 0) > this.maxBytes)
          return void answer('INSTREAM size limit exceeded. ERROR');
        if (this.fault === 'ends') return void socket.destroy();
        if (received.length < 4 + length) return;
        document.push(received.subarray(4, 4 + length));
        received = received.subarray(4 + length);
      }
    };
    socket.on('data', (bytes: Buffer) => {
      received = Buffer.concat([received, bytes]);
      read();
    });
  }

  async #scan(socket: Socket, document: Buffer, answer: (text: string) => void): Promise<void> {
    await this.onScan?.();
    this.scanned.push(document);
    if (socket.destroyed) return;
    if (this.fault === 'no memory') return answer("stream: Can't allocate memory ERROR");
    if (this.fault === 'nonsense') return answer('x'.repeat(MIB));
    answer(this.signatures.some((one) => document.includes(one)) ? 'stream: Eicar-Test-Signature FOUND' : 'stream: OK');
  }

  #version(): string {
    if (!this.signaturesFrom) return 'ClamAV 1.4.3';
    const [day, date = '', month, year, time] = this.signaturesFrom.toUTCString().replace(',', '').split(' ');
    return `ClamAV 1.4.3/27500/${day} ${month} ${date.replace(/^0/, ' ')} ${time} ${year}`;
  }
}
