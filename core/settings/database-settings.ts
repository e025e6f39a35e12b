import { join, resolve } from 'node:path';
import { HOUR_MS, MINUTE_MS } from '../time.ts';
import { POSTGRES_FORM, readPostgresUrl } from './postgres-url.ts';
import { code, optional, readerOf, setting, text, wholeNumber } from './setting.ts';

export type DatabaseSettings = SqliteSettings | PostgresSettings;

export interface SqliteSettings {
  dialect: 'sqlite';
  file: string;
  /** How long a statement waits for its caller's turn, in milliseconds, otherwise as long as for a lock. */
  turnMs?: number;
}

export interface PostgresSettings {
  dialect: 'postgres';
  /** May point to PgBouncer in transaction mode when there is an address for sessions. */
  url: string;
  /** Postgres itself, for everything that needs a session: migrations, commands, the queue and its notifications. */
  sessionUrl?: string | undefined;
  /** A standby, for the command line's lists and exports. */
  replicaUrl?: string | undefined;
  limits: DatabaseLimits;
}

/** How long a process waits for Postgres, in milliseconds, and how many connections it opens at most. */
export interface DatabaseLimits {
  poolSize: number;
  /** For a new connection, and for a free one. */
  connectMs: number;
  /** For the turn of the statement's caller. */
  turnMs: number;
  /** For the answer to a statement. */
  queryMs: number;
  /** For a row or table locked by another transaction. */
  lockMs: number;
  /** How long until Postgres ends an idle transaction. */
  idleMs: number;
}

const seconds = wholeNumber(1, 3600, ' of seconds');

export const databaseSettings = {
  DATABASE_URL: optional(text, `\`sqlite:<file>\` or ${code(POSTGRES_FORM)}.`, '`sqlite:<DATA_DIR>/service.db`'),
  DATABASE_SESSION_URL: optional(text, 'Postgres itself, when `DATABASE_URL` is [PgBouncer](run.md#pgbouncer).'),
  DATABASE_REPLICA_URL: optional(text, '[Standby](run.md#read-replica) for lists and exports.'),
  DATABASE_POOL_SIZE: setting(
    wholeNumber(3, 200),
    10,
    '[Postgres connections](run.md#timeouts-and-connections) per process.',
  ),
  DATABASE_CONNECT_SECONDS: setting(seconds, 3, 'Longest wait for a Postgres connection.'),
  DATABASE_TURN_SECONDS: setting(seconds, 6, 'Longest wait for a turn of the caller, also on SQLite; then 503.'),
  DATABASE_QUERY_SECONDS: setting(seconds, 4, 'Longest statement.'),
  DATABASE_LOCK_SECONDS: setting(seconds, 2, 'Longest wait for a lock.'),
  DATABASE_IDLE_SECONDS: setting(seconds, 10, 'Longest idle time in a transaction.'),
};

/** The timeouts of programs that no caller waits for: imports, migrations, exports. */
export const PATIENT: DatabaseLimits = {
  poolSize: 10,
  connectMs: 10_000,
  turnMs: 20_000,
  queryMs: HOUR_MS,
  lockMs: MINUTE_MS,
  idleMs: HOUR_MS,
};

/** Appends problems to `faults`. */
export function readDatabase(env: NodeJS.ProcessEnv, dataDir: string, faults: string[]): DatabaseSettings {
  const read = readerOf(databaseSettings, env, faults);
  const [url, sessionUrl, replicaUrl] = [
    read('DATABASE_URL'),
    read('DATABASE_SESSION_URL'),
    read('DATABASE_REPLICA_URL'),
  ];
  const limits = readLimits(env, faults);
  const isSqlite = !url || (url.startsWith('sqlite:') && url.length > 'sqlite:'.length);
  const postgresUrl = (name: string, text: string, or = '') => {
    const read = readPostgresUrl(text);
    if ('url' in read) return read.url;
    faults.push(`${name} ${read.fault.replace(/^must be /, `must be ${or}`)}.`);
    return text;
  };
  const furtherUrl = (name: string, text: string | undefined) => {
    if (!text) return undefined;
    if (!isSqlite) return postgresUrl(name, text);
    faults.push(`${name} is for Postgres; DATABASE_URL is SQLite.`);
    return text;
  };
  const further = {
    sessionUrl: furtherUrl('DATABASE_SESSION_URL', sessionUrl),
    replicaUrl: furtherUrl('DATABASE_REPLICA_URL', replicaUrl),
  };
  if (!url) return { dialect: 'sqlite', file: join(dataDir, 'service.db'), turnMs: limits.turnMs };
  if (isSqlite) return { dialect: 'sqlite', file: resolve(url.slice('sqlite:'.length)), turnMs: limits.turnMs };
  return { dialect: 'postgres', url: postgresUrl('DATABASE_URL', url, 'sqlite:<file> or '), ...further, limits };
}

/** Where our own sessions are available. */
export function sessionUrlOf({ url, sessionUrl }: PostgresSettings): string {
  return sessionUrl ?? url;
}

function readLimits(env: NodeJS.ProcessEnv, faults: string[]): DatabaseLimits {
  const read = readerOf(databaseSettings, env, faults);
  return {
    poolSize: read('DATABASE_POOL_SIZE'),
    connectMs: read('DATABASE_CONNECT_SECONDS') * 1000,
    turnMs: read('DATABASE_TURN_SECONDS') * 1000,
    queryMs: read('DATABASE_QUERY_SECONDS') * 1000,
    lockMs: read('DATABASE_LOCK_SECONDS') * 1000,
    idleMs: read('DATABASE_IDLE_SECONDS') * 1000,
  };
}
