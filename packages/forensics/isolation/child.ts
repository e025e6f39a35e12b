import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { type Program, sandboxed } from './sandbox.ts';

/** A sandboxed process that reads untrusted documents, one after the other. */
export interface Child {
  readonly pid: number;
  readonly input: Writable;
  readonly output: Readable;
  /** Whether it has reported that it is ready. */
  isReady: boolean;
  /** Resolves when the process is gone, with the signal that killed it. */
  readonly ended: Promise<{ signal: NodeJS.Signals | null }>;
  /** The same once its last output has arrived, too. */
  readonly gone: Child['ended'];
  /** The beginning of its standard error. */
  errorOutput(): string;
  /**
   * Stops it until `resume`: what a document has left behind can neither work nor take memory meanwhile. Nothing happens where the process
   * would stay stopped when its host dies.
   */
  pause(): void;
  resume(): void;
  kill(): void;
}

const ERROR_CHARACTERS = 4_000;
const alive = new Set<Child>();

// A host that exits abruptly must not leave orphans.
process.on('exit', () => {
  for (const child of alive) child.kill();
});

/** Starts a program sandboxed and with an empty environment; requests go to its standard input, answers come from its output. */
export async function startChild(program: Program): Promise<Child> {
  const { line, environment, diesWithHost } = await sandboxed(program);
  const [file, ...rest] = line;
  const started = spawn(file, rest, { env: environment, cwd: '/', stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
  const { stdin: input, stdout: output, stderr } = started;
  const ended = new Promise<{ signal: NodeJS.Signals | null }>((resolve) => {
    started.once('exit', (_code, signal) => resolve({ signal }));
    started.once('error', () => resolve({ signal: null }));
  });
  // Once for all documents that it reads: listeners of each would pile up.
  const closed = new Promise<void>((resolve) => output.once('close', resolve));
  let errorText = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    errorText = (errorText + text).slice(0, ERROR_CHARACTERS);
  });
  // The process may exit while the host still writes to it.
  for (const stream of [input, output, stderr]) stream.on('error', () => undefined);
  const { pid } = started;
  if (pid === undefined) throw new Error(`The process that analyses documents cannot be started: ${file} is missing.`);
  const signal = (name: NodeJS.Signals) => {
    if (diesWithHost) started.kill(name);
  };
  const child: Child = {
    pid,
    input,
    output,
    isReady: false,
    ended,
    gone: closed.then(() => ended),
    errorOutput: () => errorText,
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    kill: () => void started.kill('SIGKILL'),
  };
  alive.add(child);
  ended.then(() => alive.delete(child));
  return child;
}
