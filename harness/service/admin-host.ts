/**
 * Runs the command line's program once per message of its parent, `Admin`, in one process: starting Node and importing the
 * service takes most of a command's time.
 */
import { Readable } from 'node:stream';

export interface Command {
  args: string[];
  env: Record<string, string>;
  cwd: string;
  input: string;
}

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

let runs = 0;
let current: Ended | undefined;

capture(process.stdout, (text, ended) => (ended.stdout += text));
capture(process.stderr, (text, ended) => (ended.stderr += text));

process.on('message', async ({ args, env, cwd, input }: Command) => {
  current = { code: 0, stdout: '', stderr: '' };
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...args);
  process.exitCode = undefined;
  Object.defineProperty(process, 'stdin', { value: Readable.from([Buffer.from(input)]), configurable: true });
  // A command must end with an empty event loop, as in its own process: one that leaves something open never ends.
  process.channel?.unref();
  // The query makes it a new module, so the program runs again on modules that are already imported.
  await import(`../../bin/admin.ts?run=${++runs}`);
});

process.on('beforeExit', report);
// The program exits half a second after a command that may leave something open: a slow machine takes as long to see that nothing is.
Object.assign(process, { exit: report });

function report(code = Number(process.exitCode ?? 0)): void {
  if (!current) return;
  const ended = { ...current, code };
  current = undefined;
  process.stdout.removeAllListeners('error');
  process.channel?.ref();
  process.send?.(ended);
}

function capture(stream: NodeJS.WriteStream, add: (text: string, ended: Ended) => void): void {
  const write: typeof stream.write = (chunk: Uint8Array | string, ...rest: unknown[]) => {
    if (current) add(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString(), current);
    const done = rest.find((each) => typeof each === 'function');
    if (done) process.nextTick(done);
    return true;
  };
  stream.write = write;
}
