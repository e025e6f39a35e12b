import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { commandFor, type Program } from './walls.ts';

/** A process that reads documents of strangers. */
export interface Child {
  readonly pid: number;
  readonly input: Writable;
  readonly output: Readable;
  /** Resolves when it is over; whether it was killed by a signal, and by which. */
  readonly ended: Promise<{ signal: NodeJS.Signals | null }>;
  /** The beginning of what it complained of. */
  complaint(): string;
  kill(): void;
}

const COMPLAINT_CHARACTERS = 4_000;
const alive = new Set<Child>();

// A service that ends at once must not leave them behind.
process.on('exit', () => {
  for (const child of alive) child.kill();
});

/** Starts a program with an empty environment, behind walls. It hears through its standard input and answers on its output. */
export async function startChild(program: Program): Promise<Child> {
  const { line, environment } = await commandFor(program);
  const [file, ...rest] = line;
  const started = spawn(file, rest, { env: environment, cwd: '/', stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
  const { stdin: input, stdout: output, stderr } = started;
  const ended = new Promise<{ signal: NodeJS.Signals | null }>((resolve) => {
    started.once('exit', (_code, signal) => resolve({ signal }));
    started.once('error', () => resolve({ signal: null }));
  });
  let complaint = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(0, COMPLAINT_CHARACTERS);
  });
  // It may be gone while it is still being written to.
  for (const stream of [input, output, stderr]) stream.on('error', () => undefined);
  const { pid } = started;
  if (pid === undefined) throw new Error(`The process that analyses documents cannot be started: ${file} is missing.`);
  const child = { pid, input, output, ended, complaint: () => complaint, kill: () => void started.kill('SIGKILL') };
  alive.add(child);
  ended.then(() => alive.delete(child));
  return child;
}
