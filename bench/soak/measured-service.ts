import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { countError } from './fleet.ts';
import type { Held } from './memory-meter.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/api.ts', import.meta.url));
const METER = import.meta.resolve('./memory-meter.ts');

/** The service as in production, API and workers in one process, which reports its memory on request. */
export class MeasuredService {
  readonly url: string;
  /** How often each error was logged. */
  readonly errors: ReadonlyMap<string, number>;
  private readonly child: ChildProcess;

  private constructor(url: string, child: ChildProcess, errors: ReadonlyMap<string, number>) {
    this.url = url;
    this.child = child;
    this.errors = errors;
  }

  /** @param logFile where its log goes */
  static async start(env: Record<string, string>, logFile: string): Promise<MeasuredService> {
    const child = spawn(process.execPath, ['--expose-gc', '--import', METER, PROGRAM], {
      env: { PATH: process.env['PATH'], SETTINGS_FILE: '', PORT: '0', ...env },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    const kill = () => child.kill('SIGKILL');
    // An interrupted run leaves nothing running.
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    if (!child.stdout) throw new Error('The service has no standard output.');
    const log = createWriteStream(logFile);
    const lines = createInterface({ input: child.stdout });
    const errors = new Map<string, number>();
    const url = await new Promise<string>((resolve, reject) => {
      lines.on('line', (line) => {
        log.write(`${line}\n`);
        const told = line.startsWith('{') ? JSON.parse(line) : {};
        if (told.msg === 'listening') resolve(told.url);
        countError(errors, told);
      });
      child.once('exit', (code) => reject(new Error(`The service ended with ${code}.`)));
    });
    return new MeasuredService(url, child, errors);
  }

  async held(): Promise<Held> {
    const told = once(this.child, 'message');
    this.child.send('what do you hold?');
    const [held]: Held[] = await told;
    if (!held) throw new Error('The service does not tell what it holds.');
    return held;
  }

  /** @returns its exit code after it was asked to drain */
  async stop(): Promise<number | null> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    const [code]: (number | null)[] = await ended;
    return code ?? null;
  }
}
