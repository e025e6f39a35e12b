import { type ChildProcess, spawn } from 'node:child_process';

export interface Ended {
  /** Null when it was killed. */
  code: number | null;
  /** The end of standard output and standard error. */
  output: string;
  seconds: number;
  isTimedOut: boolean;
}

const MAX_OUTPUT_LENGTH = 20_000;
const running = new Set<ChildProcess>();

/** Runs a Node program in its own process group, which ends with it: a broken service may leave processes behind. */
export function runProgram(
  args: readonly string[],
  { cwd, env = {}, limitMs }: { cwd: string; env?: Record<string, string>; limitMs: number },
): Promise<Ended> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { cwd, env: { ...process.env, ...env }, detached: true });
  running.add(child);
  let output = '';
  const take = (chunk: Buffer) => {
    output = (output + chunk).slice(-MAX_OUTPUT_LENGTH);
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  let isTimedOut = false;
  const limit = setTimeout(() => {
    isTimedOut = true;
    kill(child);
  }, limitMs);
  child.once('exit', () => kill(child));
  return new Promise((resolve) => {
    child.once('close', (code) => {
      clearTimeout(limit);
      running.delete(child);
      resolve({ code, output, seconds: (performance.now() - startedAt) / 1000, isTimedOut });
    });
  });
}

export function killPrograms(): void {
  for (const child of running) kill(child);
}

function kill({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group is gone.
  }
}
