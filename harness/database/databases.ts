import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openQueue } from '../../bin/service/opened-on-use.ts';
import { createLog } from '../../core/log.ts';
import { type Config, readConfig } from '../../core/settings/config.ts';
import { connect, disconnect } from '../../db/connection/connect.ts';
import { dialect } from './dialect.ts';

/** Names the database, or the file, that is copied. */
const TEMPLATE = 'TEST_DATABASE_TEMPLATE';

/** A `DATABASE_URL` of an empty database. On Postgres it lives in the server of this run. */
export async function freshDatabase(folder: string, file = 'service.db'): Promise<string> {
  return dialect === 'sqlite' ? `sqlite:${join(folder, file)}` : createDatabase();
}

/** As `freshDatabase`, with the tables that a service creates at its first start: copying them takes a tenth of the time. */
export async function preparedDatabase(folder: string): Promise<string> {
  const template = process.env[TEMPLATE];
  if (!template) return freshDatabase(folder);
  if (dialect === 'postgres') return createDatabase(template);
  const file = join(folder, 'service.db');
  await copyFile(template, file);
  return `sqlite:${file}`;
}

/** The settings that name a database. */
export function settingsOf(database: Config['database']): Record<string, string> {
  if (database.dialect === 'sqlite') return { DATABASE_URL: `sqlite:${database.file}` };
  const { url, sessionUrl } = database;
  return { DATABASE_URL: url, ...(sessionUrl ? { DATABASE_SESSION_URL: sessionUrl } : {}) };
}

/** The `DATABASE_URL` of a copy of a database that no process has open. */
export async function copiedDatabase(database: Config['database'], folder: string): Promise<string> {
  if (database.dialect === 'postgres') return createDatabase(new URL(database.url).pathname.slice(1));
  const file = join(folder, 'copy.db');
  await copyFile(database.file, file);
  return `sqlite:${file}`;
}

/** Creates the database that `preparedDatabase` copies in this run. Returns a function that removes it. */
export async function prepareTemplate(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'screening-template-'));
  const { database } = readConfig({ DATA_DIR: folder, DATABASE_URL: await freshDatabase(folder) });
  const db = await connect(database);
  const queue = openQueue(database, db, createLog('silent'));
  await queue.start([]);
  await queue.stop();
  await disconnect(db);
  process.env[TEMPLATE] = database.dialect === 'sqlite' ? database.file : new URL(database.url).pathname.slice(1);
  return () => rm(folder, { recursive: true, force: true });
}

/**
 * Removes a database of the run's server, so that hundreds of them do not fill the disk, unless another process still uses it. On SQLite,
 * its file goes with its folder.
 */
export async function dropDatabase(database: Config['database']): Promise<void> {
  const server = process.env['TEST_POSTGRES_URL'];
  if (!server || database.dialect === 'sqlite' || !database.url.startsWith(`${server}/test_`)) return;
  await onServer(server, `drop database ${new URL(database.url).pathname.slice(1)}`).catch(() => {});
}

async function createDatabase(template = 'template1'): Promise<string> {
  const server = process.env['TEST_POSTGRES_URL'];
  if (!server) throw new Error('TEST_POSTGRES_URL is not set; run the suite with npm test.');
  const name = `test_${randomBytes(8).toString('hex')}`;
  // Logging each page, the default, takes three times as much CPU time.
  await onServer(server, `create database ${name} template ${template} strategy file_copy`);
  return `${server}/${name}`;
}

/** The `DATABASE_URL` of an empty database in another encoding than UTF-8. On Postgres only. */
export async function databaseInEncoding(encoding: string): Promise<string> {
  const server = process.env['TEST_POSTGRES_URL'] ?? '';
  const name = `test_${randomBytes(8).toString('hex')}`;
  await onServer(server, `create database ${name} template template0 encoding '${encoding}' locale 'C'`);
  return `${server}/${name}`;
}

async function onServer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${server}/postgres` });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
