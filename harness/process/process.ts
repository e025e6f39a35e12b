import { type ChildProcess, spawn } from 'node:child_process';
import { rememberCause } from './failures.ts';
import { eventually, hearLines } from './signals.ts';
import { throughPooler } from './through-pooler.ts';

/** Suites run in parallel: a busy machine must not look like a database that does not answer. */
export const PATIENCE = {
  DATABASE_CONNECT_SECONDS: '20',
  DATABASE_TURN_SECONDS: '60',
  DATABASE_QUERY_SECONDS: '20',
  DATABASE_LOCK_SECONDS: '20',
};

/** Load for as long as a fault lasts starts more verifications than an integrator does on a day. */
const UNMETERED = { DAILY_VERIFICATIONS_PER_KEY: '1000000' };

export interface ServiceProcess {
  url: string;
  /** The address of probes and metrics, with OPS_PORT. */
  operatorsUrl: string | undefined;
  /** Freezes it, or continues it. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  pid: number;
  /** Kills it without a chance to clean up. */
  kill(): Promise<void>;
  /** Asks it to drain, by SIGTERM unless stated otherwise; resolves to its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** The actual program, as an operator starts it. @param program relative to this file */
export async function startServiceProcess(
  env: Record<string, string>,
  program = '../../bin/api.ts',
): Promise<ServiceProcess> {
  const quick = { PORT: '0', LOG_LEVEL: 'info', SANDBOX_DELAY_MS: '50' };
  const child = spawnProgram(program, { ...quick, ...PATIENCE, ...UNMETERED, ...env });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const urls = await readyUrls(child);
  return {
    ...urls,
    signal: (signal) => void child.kill(signal),
    pid: child.pid ?? 0,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      return exited;
    },
  };
}

export interface WorkerProcess extends Pick<ServiceProcess, 'kill' | 'stop'> {
  /** The lines of its log so far. */
  readonly logged: readonly { msg?: string; pid?: number }[];
}

/** The actual worker, or a program that stands in for it, once it is working. @param program relative to this file */
export async function startWorkerProcess(
  env: Record<string, string>,
  program = '../../bin/worker.ts',
  args: string[] = [],
): Promise<WorkerProcess> {
  const child = spawnProgram(program, { SANDBOX_DELAY_MS: '50', ...PATIENCE, ...env }, args);
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const logged: { msg?: string; pid?: number }[] = [];
  hearLines(child.stdout, (line) => logged.push(JSON.parse(line)));
  await eventually('the worker works', () => logged.some(({ msg }) => msg === 'working'));
  return {
    logged,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      return exited;
    },
  };
}

/** Runs a TypeScript file of the repository, given relative to this one, with only the given environment. */
export function spawnProgram(file: string, env: Record<string, string>, args: string[] = []): ChildProcess {
  return spawn(process.execPath, [new URL(file, import.meta.url).pathname, ...args], {
    env: { ...programEnv(), ...throughPooler(env) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function readyUrls(child: ChildProcess): Promise<Pick<ServiceProcess, 'url' | 'operatorsUrl'>> {
  let operatorsUrl: string | undefined;
  let isListening = false;
  return new Promise((resolve, reject) => {
    hearLines(child.stdout, (line) => {
      if (!line.startsWith('{')) return;
      rememberCause(line);
      // Once it listens, a kill may cut a line.
      if (isListening || !(line.includes('"url":') || line.includes('"operators":'))) return;
      const { url, operators } = JSON.parse(line);
      if (typeof operators === 'string') operatorsUrl = operators;
      if (typeof url !== 'string') return;
      isListening = true;
      resolve({ url, operatorsUrl });
    });
    child.once('exit', () => reject(new Error('The program ended before it listened.')));
  });
}

/** Environment that makes a program believe that its output is a terminal of this width. */
export function terminalOf(columns: number): Record<string, string> {
  return { NODE_OPTIONS: `--import=data:text/javascript,process.stdout.columns=${columns}` };
}

/** Environment for every program under test: the suite shares one compile cache, and measures coverage in all processes. */
export function programEnv(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE, COVERAGE_FOLDER, NODE_OPTIONS } = process.env;
  return {
    PATH,
    SETTINGS_FILE: '',
    ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}),
    ...(COVERAGE_FOLDER && NODE_OPTIONS ? { COVERAGE_FOLDER, NODE_OPTIONS } : {}),
  };
}
