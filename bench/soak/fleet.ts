import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { spawnProgram } from '../../harness/process/process.ts';

/** One of our programs, which is restarted whenever it ends. */
interface Member {
  name: string;
  program: string;
  env: Record<string, string>;
  child?: ChildProcess;
  startedAt: number;
  /** Where it listens; undefined while it starts, and for a worker. */
  url?: string | undefined;
}

const ERRORS = ['error', 'fatal'];

/** Counts a line of a log when it is an error: its message, and the first line of its stack. */
export function countError(
  errors: Map<string, number>,
  { level, msg, err }: { level?: string; msg?: string; err?: { stack?: string } },
): void {
  if (level === undefined || !ERRORS.includes(level)) return;
  const [reason] = err?.stack?.split('\n', 1) ?? [];
  count(errors, reason ? `${msg}: ${reason}` : String(msg));
}

/** The processes of a deployment, which are killed at any moment and come back. */
export class Fleet {
  readonly kills = new Map<string, number>();
  /** How often each message was logged as an error. */
  readonly errors = new Map<string, number>();
  /** Processes that ended without being killed. */
  readonly deaths: string[] = [];
  /** The longest start of an API: how slow the machine is. */
  slowestStartMs = 0;
  private readonly members: Member[];
  private stopping = false;

  /** On Postgres two of each kind; SQLite is for one process that does both. */
  constructor(database: 'sqlite' | 'postgres', env: Record<string, string>) {
    const api = (name: string, more = {}) => ({
      name,
      program: 'api.ts',
      env: { ...env, PORT: '0', ...more },
      startedAt: 0,
    });
    const apart = { RUN_WORKERS: 'false' };
    const worker = (name: string) => ({ name, program: 'worker.ts', env, startedAt: 0 });
    this.members =
      database === 'sqlite'
        ? [api('service')]
        : [api('api 1', apart), api('api 2', apart), worker('worker 1'), worker('worker 2')];
    for (const member of this.members) this.start(member);
    // An interrupted run leaves nothing running.
    process.once('exit', () => void this.stop());
  }

  /** Where the API currently answers, as far as is known. */
  get urls(): string[] {
    return this.members.flatMap(({ url }) => url ?? []);
  }

  /** Kills the member at this position of the fleet (from 0 up to 1), whether it is working or still starting. */
  kill(place: number): void {
    const member = this.members[Math.floor(place * this.members.length)];
    if (!member?.child) return;
    count(this.kills, member.name);
    member.child.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(
      this.members.map(({ child }) => {
        if (!child || child.exitCode !== null || child.signalCode !== null) return undefined;
        const ended = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGKILL');
        return ended;
      }),
    );
  }

  private start(member: Member): void {
    const child = spawnProgram(`../../bin/${member.program}`, member.env);
    member.child = child;
    member.startedAt = performance.now();
    if (child.stdout) createInterface({ input: child.stdout }).on('line', (line) => this.read(member, line));
    child.once('exit', (code, signal) => {
      member.url = undefined;
      if (this.stopping) return;
      if (signal !== 'SIGKILL') this.deaths.push(`${member.name} ended unexpectedly with ${code ?? signal}`);
      this.start(member);
    });
  }

  private read(member: Member, line: string): void {
    if (!line.startsWith('{')) return;
    const told = JSON.parse(line);
    const { url } = told;
    if (typeof url === 'string' && member.url === undefined) {
      member.url = url;
      this.slowestStartMs = Math.max(this.slowestStartMs, performance.now() - member.startedAt);
    }
    countError(this.errors, told);
  }
}

/** Adds a member of one kind. */
export function count(counts: Map<string, number>, kind: string): void {
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
}
