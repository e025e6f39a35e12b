import { type ChildProcess, fork } from 'node:child_process';

/** The functions that a program offers. */
type Functions = Record<string, (...input: never[]) => unknown>;

interface Question {
  id: number;
  name: string;
  input: never[];
}

interface Answer {
  id: number;
  value: never;
  fault?: string;
}

interface Waiting {
  resolve: (value: never) => void;
  reject: (error: Error) => void;
}

/** The current time, in milliseconds of the machine's monotonic clock, which all processes share. */
export function moment(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** A program in its own process, whose functions are called by messages. */
export class Remote<Offered extends Functions> {
  private readonly child: ChildProcess;
  private readonly waiting = new Map<number, Waiting>();
  private asked = 0;

  /** @param program address of the module, as `import.meta.resolve` gives it */
  constructor(program: string, env: Record<string, string> = {}) {
    this.child = fork(new URL(program), {
      env: { PATH: process.env['PATH'], ...env },
      // The service pays for its log as usual, but no one reads it.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced',
    });
    this.child.on('message', ({ id, value, fault }: Answer) => {
      const waiting = this.waiting.get(id);
      this.waiting.delete(id);
      if (fault === undefined) waiting?.resolve(value);
      else waiting?.reject(new Error(`${program}: ${fault}`));
    });
    this.child.once('exit', () => {
      for (const { reject } of this.waiting.values()) reject(new Error(`${program} ended.`));
    });
  }

  ask<Name extends keyof Offered & string>(
    name: Name,
    ...input: Parameters<Offered[Name]>
  ): Promise<Awaited<ReturnType<Offered[Name]>>> {
    const id = ++this.asked;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.child.send({ id, name, input });
    });
  }

  /** Kills it without a drain. */
  async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await ended;
  }
}

/** The other side: exposes the functions of this program, and ends with the calling process. */
export function offer(functions: Functions): void {
  process.on('message', async ({ id, name, input }: Question) => {
    try {
      process.send?.({ id, value: await functions[name]?.(...input) });
    } catch (error) {
      process.send?.({ id, fault: error instanceof Error ? error.stack : String(error) });
    }
  });
  process.once('disconnect', () => process.exit());
}
