import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A program that reads untrusted documents. */
export interface Program {
  /** Its entry file. */
  file: string;
  arguments: readonly string[];
  /** Files and folders that it may read. It may write none. */
  readable: readonly string[];
  /** The folder of Node's compile cache. */
  codeCache?: string | undefined;
  /** Lets it write to the cache: only for a program that reads no document. */
  fillsCache?: true;
  /** Whether it may load native code, as decoding pictures needs. */
  addons: boolean;
  /** Limit of V8's heap alone, in MiB. */
  heapMib: number;
  /** CPU time limit, enforced by the kernel even after the host's death. */
  cpuSeconds: number;
}

/** A third of the share of a process of usual priority: 10 would be a tenth, with which no process starts in time on a busy machine. */
export const NICENESS = 5;

const LOCKDOWN = new URL('lockdown.ts', import.meta.url);

/**
 * Limits that the kernel enforces: no core dump (it would hold the document), no data written to files, CPU time, this process first in
 * line for the OOM killer, and behind the service when a processor is needed by both: a person or caller waits for its answers.
 */
const LIMITS = `{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null
ulimit -c 0; ulimit -f "$1"; ulimit -S -t "$2"; ulimit -H -t "$(($2 + 5))"; shift 2
if command -v nice >/dev/null; then set -- nice -n ${NICENESS} "$@"; fi
exec "$@"`;

/** A namespace without network and without root's capabilities, if the kernel lets unprivileged users create one. */
const NAMESPACE = ['unshare', '--user', '--net', '--'];
/** The kernel kills the process when the host dies. Must follow `NAMESPACE`, which would reset it. */
const DIE_WITH_HOST = ['setpriv', '--pdeathsig', 'KILL', '--'];

export interface Command {
  line: [file: string, ...rest: string[]];
  environment: Record<string, string>;
  /** Whether the kernel kills the process when the host dies. */
  diesWithHost: boolean;
}

/** The command that starts a program with every restriction that this machine supports. */
export async function sandboxed(program: Program): Promise<Command> {
  const node = [process.execPath, ...nodeOptions(program), program.file, ...program.arguments] as const;
  if (process.platform === 'win32') return { line: [...node], environment: {}, diesWithHost: false };
  const { codeCache, fillsCache, cpuSeconds } = program;
  const limited = ['/bin/sh', '-c', LIMITS, 'sh', fillsCache ? 'unlimited' : '0', String(cpuSeconds)] as const;
  const dying = fillsCache ? [] : await ifSupported(DIE_WITH_HOST);
  return {
    line: [...limited, ...(await ifSupported(NAMESPACE)), ...dying, ...node],
    environment: codeCache ? { NODE_COMPILE_CACHE: codeCache } : {},
    diesWithHost: dying.length > 0,
  };
}

/** Those that Node's documentation describes: decision 18 has the cost of V8's other options. */
function nodeOptions({ readable, codeCache, addons, heapMib }: Program): string[] {
  const caches = codeCache ? [codeCache] : [];
  return [
    '--permission',
    ...[fileURLToPath(LOCKDOWN), ...readable, ...caches].map((path) => `--allow-fs-read=${path}`),
    // Node uses a cache only with permission to write; LIMITS keep it from writing.
    ...caches.map((path) => `--allow-fs-write=${path}`),
    ...(addons ? ['--allow-addons'] : []),
    `--max-old-space-size=${heapMib}`,
    '--no-warnings',
    // A URL: in a path, Node would take # and ? for the end of it.
    `--import=${LOCKDOWN.href}`,
  ];
}

const supported = new Map<readonly string[], Promise<readonly string[]>>();

/** The prefix if it works here, or nothing. Probed once: containers often forbid it, and not every system has the program. */
function ifSupported(prefix: readonly string[]): Promise<readonly string[]> {
  const [file = '', ...options] = prefix;
  const probed =
    supported.get(prefix) ??
    new Promise<readonly string[]>((resolve) => {
      execFile(file, [...options, 'true'], { timeout: 5_000 }, (error) => resolve(error === null ? prefix : []));
    });
  supported.set(prefix, probed);
  return probed;
}
