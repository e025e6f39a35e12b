import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { freePort } from '../../harness/process/running-server.ts';
import type { Question, Usage } from './meter.ts';
import type { Operation } from './operations.ts';
import type { Prepared } from './prepared.ts';
import { settings } from './settings.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const METER = import.meta.resolve('./meter.ts');
const PATIENCE_MS = 20_000;
const LOOK_AGAIN_MS = 2;

/** A program that serves the two operations. */
export interface Program {
  name: string;
  /** Relative to the repository. */
  file: string;
  /** Flags for Node. */
  flags?: readonly string[];
  /** Whether it refuses invalid requests. */
  validates?: boolean;
  /** Whether it writes its compile cache while it runs. The bench does so for the others. */
  fillsCompileCache?: boolean;
  env?: Record<string, string>;
  /** Compared in these alone; in all by default. */
  operations?: readonly Operation[];
}

/** What servers may share; each has its own by default. */
interface Shared {
  databaseUrl?: string;
  compileCache?: string;
}

/** A serving program, in its own process. Its log goes to a file, as in production. */
export class Server {
  readonly program: Program;
  readonly url: string;
  /** From before the process was started to its first answer. */
  readonly startMs: number;
  /** Its database, which others may share. */
  readonly databaseUrl: string;
  private readonly child: ChildProcess;

  private constructor(program: Program, url: string, startMs: number, databaseUrl: string, child: ChildProcess) {
    this.program = program;
    this.url = url;
    this.startMs = startMs;
    this.databaseUrl = databaseUrl;
    this.child = child;
  }

  static async start(program: Program, prepared: Prepared, shared: Shared = {}): Promise<Server> {
    const database = shared.databaseUrl ?? (await prepared.copy());
    const port = await freePort();
    const { folder } = prepared.place;
    const env = {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: shared.compileCache ?? join(ROOT, 'node_modules/.cache/node'),
      ...settings(database, join(folder, `data-${port}`)),
      PORT: String(port),
      ...program.env,
    };
    const logFile = join(folder, `${port}.log`);
    const log = openSync(logFile, 'a');
    const startedAt = performance.now();
    const child = spawn(process.execPath, [...(program.flags ?? []), '--import', METER, join(ROOT, program.file)], {
      cwd: ROOT,
      env,
      stdio: ['ignore', log, 'inherit', 'ipc'],
    });
    closeSync(log);
    const kill = () => child.kill('SIGKILL');
    // An interrupted bench leaves no server running.
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    const url = `http://127.0.0.1:${port}/api/v1`;
    try {
      const [caller] = prepared.callers;
      await answers(`${url}/applications/${caller?.applicationIds[0]}`, caller?.token ?? '', child);
    } catch (error) {
      child.kill('SIGKILL');
      const said = readFileSync(logFile, 'utf8').trim().split('\n').slice(-3).join('\n');
      throw new Error(`${program.name}: ${error}\n${said}`);
    }
    return new Server(program, url, performance.now() - startedAt, database, child);
  }

  async usage(): Promise<Usage> {
    const usage = await this.ask('usage');
    if (!usage) throw new Error(`${this.program.name} does not report its usage.`);
    return usage;
  }

  /** Writes the compile cache, which Node does on an ordinary exit only. */
  async fillCompileCache(): Promise<void> {
    await this.ask('fill compile cache');
  }

  private async ask(question: Question): Promise<Usage | undefined> {
    const answered = once(this.child, 'message');
    this.child.send(question);
    const [usage]: (Usage | undefined)[] = await answered;
    return usage;
  }

  async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }
}

/** Polls until the first 200. */
async function answers(url: string, token: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  const headers = { authorization: `Bearer ${token}` };
  for (;;) {
    if (child.exitCode !== null) throw new Error('it ended unexpectedly.');
    if (performance.now() > deadline) throw new Error('it does not answer.');
    try {
      const { statusCode, body } = await request(url, { headers });
      await body.dump();
      if (statusCode === 200) return;
      throw new Error(`it answers ${statusCode}.`);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED')) throw error;
    }
    await wait(LOOK_AGAIN_MS);
  }
}
