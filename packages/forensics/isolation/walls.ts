import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A program that reads documents of strangers. */
export interface Program {
  /** The file that it runs. */
  file: string;
  arguments: readonly string[];
  /** Files and folders that it may read. Nothing can be written. */
  readable: readonly string[];
  /** Where its code is kept compiled. */
  codeCache?: string | undefined;
  /** Only for a program that meets no document. */
  mayFillCache?: true;
  /** Whether it may load native code, which decoding pictures needs. */
  addons: boolean;
  /** Of JavaScript's heap alone, in MiB. */
  heapMib: number;
  /** Of the processor. Ends it where nobody else can, as after the death of the service. */
  cpuSeconds: number;
}

const LOCKDOWN = fileURLToPath(new URL('lockdown.ts', import.meta.url));

/**
 * The kernel's own limits: no core dump (it would hold the document), no file longer than nothing, an end to its processor
 * time, and when the machine runs out of memory, this process first.
 */
const LIMITS = `{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null
ulimit -c 0; ulimit -f "$1"; ulimit -S -t "$2"; ulimit -H -t "$(($2 + 5))"; shift 2; exec "$@"`;

/** A namespace without any network, and without the rights of root, where the kernel lets everybody make one. */
const APART = ['unshare', '--user', '--net', '--'];
/** Ended by the kernel together with the service. After `APART`, which would undo it. */
const WITH_SERVICE = ['setpriv', '--pdeathsig', 'KILL', '--'];

export interface Command {
  line: [file: string, ...rest: string[]];
  environment: Record<string, string>;
}

/** What starts it behind all the walls that this machine has. */
export async function commandFor(program: Program): Promise<Command> {
  const node = [process.execPath, ...nodeOptions(program), program.file, ...program.arguments] as const;
  if (process.platform === 'win32') return { line: [...node], environment: {} };
  const { codeCache, mayFillCache, cpuSeconds } = program;
  const limited = ['/bin/sh', '-c', LIMITS, 'sh', mayFillCache ? 'unlimited' : '0', String(cpuSeconds)] as const;
  return {
    line: [
      ...limited,
      ...(await whereItWorks(APART)),
      ...(mayFillCache ? [] : await whereItWorks(WITH_SERVICE)),
      ...node,
    ],
    environment: codeCache ? { NODE_COMPILE_CACHE: codeCache } : {},
  };
}

function nodeOptions({ readable, codeCache, addons, heapMib }: Program): string[] {
  const allKept = codeCache ? [codeCache] : [];
  return [
    '--permission',
    ...[LOCKDOWN, ...readable, ...allKept].map((path) => `--allow-fs-read=${path}`),
    // Node wants to be able to write there, too. It cannot: LIMITS.
    ...allKept.map((path) => `--allow-fs-write=${path}`),
    ...(addons ? ['--allow-addons'] : []),
    '--disallow-code-generation-from-strings',
    `--max-old-space-size=${heapMib}`,
    '--no-warnings',
    `--import=${LOCKDOWN}`,
  ];
}

const working = new Map<readonly string[], Promise<readonly string[]>>();

/** What a command is begun with, or nothing. Asked once: containers often forbid it, and not every system has it. */
function whereItWorks(beginning: readonly string[]): Promise<readonly string[]> {
  const [file = '', ...options] = beginning;
  const asked =
    working.get(beginning) ??
    new Promise<readonly string[]>((resolve) => {
      execFile(file, [...options, 'true'], { timeout: 5_000 }, (error) => resolve(error === null ? beginning : []));
    });
  working.set(beginning, asked);
  return asked;
}
