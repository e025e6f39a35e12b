import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { build } from '../../../bin/service/build.ts';
import { issueToken } from '../../../core/secrets/tokens.ts';
import { readConfig } from '../../../core/settings/config.ts';
import { createApiKey } from '../../../db/access/api-keys.ts';
import { createLandlord } from '../../../db/access/landlords.ts';
import { startPostgres } from '../../../harness/database/databases.ts';
import { furnish, type Size } from './furnish.ts';
import { settings } from './settings.ts';

export type DatabaseName = 'sqlite' | 'postgres';

/** Where databases are made. */
export interface Place {
  name: DatabaseName;
  /** For whatever the servers write. */
  folder: string;
  /** The address of an empty database, or of a copy of one that nobody uses. */
  make(copied?: string): Promise<string>;
  close(): Promise<void>;
}

/** Who calls: an API key with applications of its own. */
export interface Caller {
  /** Accepted for an hour. */
  token: string;
  /** From all over; a thousand of all callers together. */
  applicationIds: string[];
}

/** A database with its tables, made once and copied for each server. */
export interface Prepared {
  place: Place;
  url: string;
  callers: Caller[];
  copy(): Promise<string>;
}

/** As many as connections: creations of one key take turns, and would tell how long the disk takes to keep one. */
const CALLERS = 16;
const SAMPLED = 1_000;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Postgres is a real server with its commits on the disk, as in production; SQLite is a file. */
export async function openPlace(name: DatabaseName): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'screening-bench-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const end = () => process.exit(1);
  // Whoever is interrupted leaves no files behind. Where Postgres runs, its package ends the process once it has stopped.
  process.once('exit', remove);
  if (name === 'sqlite') for (const signal of SIGNALS) process.once(signal, end);
  const postgres = name === 'postgres' ? await startPostgres({ fsync: true }) : undefined;
  return {
    name,
    folder,
    make: async (copied) => {
      const fresh = `bench_${randomBytes(6).toString('hex')}`;
      if (postgres) {
        const template = copied ? new URL(copied).pathname.slice(1) : 'template1';
        await execute(`${postgres.url}/postgres`, `create database ${fresh} template ${template}`);
        return `${postgres.url}/${fresh}`;
      }
      const file = join(folder, `${fresh}.db`);
      if (copied) await copyFile(copied.slice('sqlite:'.length), file);
      return `sqlite:${file}`;
    },
    close: async () => {
      await postgres?.stop();
      process.off('exit', remove);
      for (const signal of SIGNALS) process.off(signal, end);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function prepare(place: Place, size: Size): Promise<Prepared> {
  const url = await place.make();
  const config = readConfig(settings(url, join(place.folder, 'prepared')));
  // All that a first start makes: the tables, the queue's own, and the note of the encryption key.
  const { runtime, close } = await build({ ...config, logLevel: 'silent' });
  const now = new Date();
  const landlord = await createLandlord(runtime.db, 'Bench', now);
  const share = { ...size, applications: Math.ceil(size.applications / CALLERS) };
  const callers: Caller[] = [];
  for (let number = 0; number < CALLERS; number++) {
    const { apiKey } = await createApiKey(runtime.db, landlord.id, `Website ${number}`, now, { mode: 'live' });
    const applicationIds = await furnish(runtime.db, apiKey.id, share, SAMPLED / CALLERS, now);
    callers.push({ token: issueToken(apiKey.id, config.keys.token, now), applicationIds });
  }
  await close();
  if (place.name === 'postgres') await execute(url, 'vacuum analyze');
  return { place, url, callers, copy: () => place.make(url) };
}

async function execute(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(sql);
  await client.end();
}
