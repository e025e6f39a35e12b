import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../process/running-server.ts';
import { until } from '../process/until.ts';

/** The program, if the machine has it; PGBOUNCER_BINARY names another. */
const program = process.env['PGBOUNCER_BINARY'] ?? 'pgbouncer';

/** Its version, 124 for 1.24; undefined if the machine lacks it. */
export const pgbouncerVersion = versionOf(program);

function versionOf(name: string): number | undefined {
  try {
    const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(execFileSync(name, ['-V'], { encoding: 'utf8' })) ?? [];
    return Number(major) * 100 + Number(minor);
  } catch {
    return undefined;
  }
}

export interface PgBouncer {
  /** The address of a database of its server through it. */
  through(databaseUrl: string): string;
  stop(): Promise<void>;
}

/**
 * PgBouncer in front of a server, for all of its databases, in transaction mode.
 * @param settings lines of its file, such as `pool_mode = session`
 * @param perConnection sent to each new server connection
 */
export async function startPgbouncer(
  serverUrl: string,
  settings: readonly string[] = [],
  perConnection = '',
  givenPort?: number,
): Promise<PgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), 'screening-pgbouncer-'));
  // As root, it must run as another user, who reads its files.
  await chmod(folder, 0o755);
  const server = new URL(serverUrl);
  const port = givenPort ?? (await freePort());
  const target = [
    `host=${server.hostname}`,
    `port=${server.port}`,
    ...(perConnection ? [`connect_query='${perConnection.replaceAll("'", "''")}'`] : []),
  ].join(' ');
  const lines = [
    ...['[databases]', `* = ${target}`, '[pgbouncer]', 'listen_addr = 127.0.0.1', `listen_port = ${port}`],
    ...[
      'unix_socket_dir =',
      'auth_type = plain',
      `auth_file = ${join(folder, 'users.txt')}`,
      'pool_mode = transaction',
    ],
    // Few, so that callers share them.
    ...['max_client_conn = 500', 'default_pool_size = 8', 'server_idle_timeout = 2', ...settings],
  ];
  await writeFile(join(folder, 'pgbouncer.ini'), `${lines.join('\n')}\n`);
  await writeFile(join(folder, 'users.txt'), `"${server.username}" "${server.password}"\n`);
  const asUser = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
  const child = spawn(program, ['-q', ...asUser, join(folder, 'pgbouncer.ini')], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = wordsOf(child);
  await until('PgBouncer listened', () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended:\n${output.join('')}`);
    return answers(port);
  });
  return {
    through: (databaseUrl) => Object.assign(new URL(databaseUrl), { port: String(port) }).href,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      setTimeout(() => child.kill('SIGKILL'), 5_000).unref();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function wordsOf(child: ChildProcess): string[] {
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes) => output.push(String(bytes)));
  return output;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('connect', () => socket.destroy());
    socket.once('error', () => resolve(false));
  });
}
