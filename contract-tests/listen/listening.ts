import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { parseEnv } from 'node:util';
import { readConfig } from '../../core/settings/config.ts';
import { insertApplication, newApplication } from '../../db/applications/applications.ts';
import { addTenant } from '../../db/applications/tenants.ts';
import { connect, disconnect } from '../../db/connection/connect.ts';
import { freshDatabase } from '../../harness/database/databases.ts';
import { programEnv, startServiceProcess, terminalOf } from '../../harness/process/process.ts';
import { eventually, hear } from '../../harness/process/signals.ts';
import { until } from '../../harness/process/until.ts';
import { Sandbox } from '../../packages/webhook-tools/listen/sandbox.ts';

const PROGRAM = new URL('../../packages/webhook-tools/listen/listen.ts', import.meta.url).pathname;

/** The output of `--json`: one object per line. */
export type Line = { type: string } & Record<string, unknown>;

/** `npm run listen` with these options, in the folder of a sandbox. */
export class Listening {
  stderr = '';
  private stdout = '';
  private readonly child: ChildProcess;
  private readonly ended: Promise<number | null>;

  constructor(env: Record<string, string>, args: readonly string[]) {
    const options = ['--port', '0', ...args];
    this.child = spawn(process.execPath, [PROGRAM, ...options], {
      env: { ...programEnv(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    hear(this.child.stdout, (text) => (this.stdout += text));
    hear(this.child.stderr, (text) => (this.stderr += text));
    this.ended = new Promise((resolve) => this.child.once('close', resolve));
  }

  get printed(): string {
    return this.stdout;
  }

  /** The JSON lines of one type printed so far. */
  lines(type: string): Line[] {
    const whole = this.stdout.split('\n').slice(0, -1);
    return whole.map((line): Line => JSON.parse(line)).filter((line) => line.type === type);
  }

  /** Waits for a number of lines of one type. */
  next(type: string, count = 1): Promise<Line[]> {
    return eventually(`listen printed ${count} ${type}`, () => {
      const found = this.lines(type);
      return found.length >= count && found;
    });
  }

  /** Resolves to its exit code when it ends. */
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
  /** Triggers a single event. Nothing is analysed, because that takes far longer than everything else. */
  listen(...args: string[]): Listening;
  /** The same on a terminal of 80 columns. */
  listenOnTerminal(...args: string[]): Listening;
  /** Triggers three events as by default, the last one from an analysis. */
  listenToAnalysis(...args: string[]): Listening;
  /** Triggers two events at about the same moment. */
  verifyTwo(): Promise<void>;
  stop(): Promise<void>;
}

/** Tenants without an analysis: one has no documents, the other no verification. */
const people = [
  { email: 'vilma.lind+kyc-verified+eid-failed@mail.example', name: 'Vilma Lind', isLead: true },
  { email: 'viggo.lind+kyc-rejected+eid-verified@mail.example', name: 'Viggo Lind', isLead: false },
];

/** A sandbox as started by `npm start`, with short retry delays. */
export async function startDemo(): Promise<Demo> {
  const folder = await mkdtemp(join(tmpdir(), 'screening-listen-'));
  const env = { DATA_DIR: folder, DATABASE_URL: await freshDatabase(folder) };
  const service = await startServiceProcess({ ...env, WEBHOOK_RETRIES: '1s,1s,1s,1s,1s,1s,1s,1s,2s,2s,5s,5s,10s,10s' });
  // A start continues without the demo when the disk is slow.
  const credentials = await until('the demo is provided', () =>
    readFile(join(folder, 'demo.env'), 'utf8').catch(() => undefined),
  );
  const { CLIENT_ID = '' } = parseEnv(credentials);
  const ids = await addPeople(env, CLIENT_ID);
  const [one = {}] = ids;
  return {
    folder,
    listen: (...args) => new Listening({ DATA_DIR: folder, ...one }, args),
    listenOnTerminal: (...args) => new Listening({ DATA_DIR: folder, ...one, ...terminalOf(80) }, args),
    listenToAnalysis: (...args) => new Listening({ DATA_DIR: folder }, args),
    verifyTwo: async () => {
      await Promise.all(ids.map(async (id) => (await Sandbox.find(folder, id)).verifyTenant()));
    },
    stop: async () => {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function addPeople(env: Record<string, string>, clientId: string): Promise<{ VERIFIED_TENANT_ID: string }[]> {
  const db = await connect(readConfig(env).database);
  try {
    return await db.transaction(async (trx) => {
      const apiKey = await trx('api_keys').where({ client_id: clientId }).first('id');
      await insertApplication(trx, newApplication(apiKey?.id ?? '', 'Flat', people, new Date()));
      const added = [];
      for (const person of people) added.push(await addTenant(trx, person, new Date()));
      return added.map(({ tenant }) => ({ VERIFIED_TENANT_ID: tenant.id }));
    });
  } finally {
    await disconnect(db);
  }
}

export interface Came {
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** When it arrived. */
  at: number;
}

type Status = [status: number, headers?: Record<string, string>];

/** A receiver that verifies nothing; `answer` chooses status and redirect. */
export class Gullible {
  readonly came: Came[] = [];
  answer: () => Status | Promise<Status> = () => [204];
  url = '';
  private readonly server = createServer(async (request, response) => {
    const at = Date.now();
    this.came.push({ headers: request.headers, body: await buffer(request), at });
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
