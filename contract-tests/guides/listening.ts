import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { freshDatabase } from '../harness/databases.ts';
import { startServiceProcess } from '../harness/process.ts';
import { until } from '../harness/until.ts';

const PROGRAM = new URL('../../scripts/listen.ts', import.meta.url).pathname;

/** What `--json` prints: an object a line. */
export type Line = { type: string } & Record<string, unknown>;

/** `npm run listen` with these options, in the folder of a sandbox. */
export class Listening {
  stderr = '';
  private stdout = '';
  private readonly child: ChildProcess;
  private readonly ended: Promise<number | null>;

  constructor(env: Record<string, string>, args: readonly string[]) {
    const options = ['--port', '0', ...args];
    this.child = spawn(process.execPath, [PROGRAM, ...options], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.child.stdout?.on('data', (text: Buffer) => (this.stdout += text));
    this.child.stderr?.on('data', (text: Buffer) => (this.stderr += text));
    this.ended = new Promise((resolve) => this.child.once('close', resolve));
  }

  get printed(): string {
    return this.stdout;
  }

  /** Whatever it printed as JSON, of one type. */
  lines(type: string): Line[] {
    const whole = this.stdout.split('\n').slice(0, -1);
    return whole.map((line): Line => JSON.parse(line)).filter((line) => line.type === type);
  }

  /** Waits for so many lines of one type. */
  next(type: string, count = 1): Promise<Line[]> {
    return until(`listen printed ${count} ${type}`, () => {
      const found = this.lines(type);
      return found.length >= count && found;
    });
  }

  /** Its exit code, once it ended by itself. */
  end(): Promise<number | null> {
    return this.ended;
  }

  stop(): Promise<number | null> {
    this.child.kill('SIGTERM');
    return this.ended;
  }
}

export interface Demo {
  folder: string;
  listen(...args: string[]): Listening;
  stop(): Promise<void>;
}

/** A sandbox as `npm start` makes it, that soon tries failed deliveries again. */
export async function startDemo(): Promise<Demo> {
  const folder = await mkdtemp(join(tmpdir(), 'screening-listen-'));
  const env = { DATA_DIR: folder, DATABASE_URL: await freshDatabase(folder) };
  const service = await startServiceProcess({ ...env, WEBHOOK_RETRIES: '1s,1s,1s,1s,1s,1s,1s,1s,2s,2s,5s,5s,10s,10s' });
  return {
    folder,
    listen: (...args) => new Listening({ DATA_DIR: folder }, args),
    stop: async () => {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface Came {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

type Status = [status: number, headers?: Record<string, string>];

/** A receiver that believes everything; `answer` says with which status, and where to. */
export class Gullible {
  readonly came: Came[] = [];
  answer: () => Status | Promise<Status> = () => [204];
  url = '';
  private readonly server = createServer(async (request, response) => {
    this.came.push({ headers: request.headers, body: await buffer(request) });
    response.writeHead(...(await this.answer())).end();
  });

  static async start(port = 0): Promise<Gullible> {
    const started = new Gullible();
    await new Promise<void>((resolve) => started.server.listen(port, '127.0.0.1', resolve));
    started.url = `http://127.0.0.1:${(started.server.address() as AddressInfo).port}/hook`;
    return started;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
