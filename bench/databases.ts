import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../harness/database/postgres-server.ts';
import type { DatabaseName } from './result.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Where databases are made. */
export interface Place {
  name: DatabaseName;
  /** For files that the servers write. */
  folder: string;
  /** Whether folder and databases are there again for the next run. */
  isKept: boolean;
  /** The address of the database that was made under a name. */
  urlOf(database: string): string;
  /** The address of an empty database, or of a copy of one that no process uses. */
  make(copied?: string): Promise<string>;
  close(): Promise<void>;
}

interface Options {
  /** Settings of Postgres. */
  flags?: readonly string[];
  /** A folder that stays, instead of a temporary one. */
  keep?: string | undefined;
}

/** Postgres is a real server with its commits on the disk, as in production; SQLite is a file. */
export async function openPlace(name: DatabaseName, { flags = [], keep }: Options = {}): Promise<Place> {
  const isKept = keep !== undefined;
  const folder = keep ?? (await mkdtemp(join(tmpdir(), 'screening-bench-')));
  mkdirSync(folder, { recursive: true });
  const remove = () => (isKept ? undefined : rmSync(folder, { recursive: true, force: true }));
  const end = () => process.exit(1);
  // An interrupted run leaves no files behind. Where Postgres runs, its package ends the process once it has stopped.
  process.once('exit', remove);
  if (name === 'sqlite') for (const signal of SIGNALS) process.once(signal, end);
  const kept = isKept ? { folder: join(folder, 'postgres') } : {};
  const postgres = name === 'postgres' ? await startPostgres({ fsync: true, flags, ...kept }) : undefined;
  const urlOf = (database: string) =>
    postgres ? `${postgres.url}/${database}` : `sqlite:${join(folder, `${database}.db`)}`;
  return {
    name,
    folder,
    isKept,
    urlOf,
    make: async (copied) => {
      const fresh = `bench_${randomBytes(6).toString('hex')}`;
      if (postgres) {
        const template = copied ? new URL(copied).pathname.slice(1) : 'template1';
        await execute(`${postgres.url}/postgres`, `create database ${fresh} template ${template}`);
      } else if (copied) await copyFile(copied.slice('sqlite:'.length), urlOf(fresh).slice('sqlite:'.length));
      return urlOf(fresh);
    },
    close: async () => {
      await postgres?.stop();
      process.off('exit', remove);
      for (const signal of SIGNALS) process.off(signal, end);
      if (!isKept) await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function execute(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(sql);
  await client.end();
}
