import { join, resolve } from 'node:path';
import { valuesOf } from './values.ts';

export type DatabaseSettings = { dialect: 'sqlite'; file: string } | PostgresSettings;

export interface PostgresSettings {
  dialect: 'postgres';
  url: string;
  limits: DatabaseLimits;
}

/** How long a process waits for Postgres, in milliseconds, and by how many connections at once. */
export interface DatabaseLimits {
  poolSize: number;
  /** For a new connection, and for a free one. */
  connectMs: number;
  /** For the answer to a statement. */
  queryMs: number;
  /** For a row or table that another transaction has locked. */
  lockMs: number;
  /** Until Postgres ends a transaction whose process says nothing more. */
  idleMs: number;
}

const MINUTE_MS = 60_000;

/** Of programs that no caller waits for: imports, migrations, exports. */
export const PATIENT: DatabaseLimits = {
  poolSize: 10,
  connectMs: 10_000,
  queryMs: 60 * MINUTE_MS,
  lockMs: MINUTE_MS,
  idleMs: 60 * MINUTE_MS,
};

/** Appends problems to `faults`. */
export function readDatabase(env: NodeJS.ProcessEnv, dataDir: string, faults: string[]): DatabaseSettings {
  const text = env['DATABASE_URL'];
  const limits = readLimits(env, faults);
  if (!text) return { dialect: 'sqlite', file: join(dataDir, 'service.db') };
  if (text.startsWith('sqlite:') && text.length > 'sqlite:'.length)
    return { dialect: 'sqlite', file: resolve(text.slice('sqlite:'.length)) };
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text))
    faults.push('DATABASE_URL must be sqlite:<file> or postgres://<user>:<password>@<host>:<port>/<database>.');
  return { dialect: 'postgres', url: text, limits };
}

function readLimits(env: NodeJS.ProcessEnv, faults: string[]): DatabaseLimits {
  const { wholeNumber } = valuesOf(env, faults);
  const milliseconds = (name: string, fallback: number) => wholeNumber(name, fallback, 3600, 1, ' of seconds') * 1000;
  return {
    poolSize: wholeNumber('DATABASE_POOL_SIZE', 10, 200, 3),
    connectMs: milliseconds('DATABASE_CONNECT_SECONDS', 3),
    queryMs: milliseconds('DATABASE_QUERY_SECONDS', 4),
    lockMs: milliseconds('DATABASE_LOCK_SECONDS', 2),
    idleMs: milliseconds('DATABASE_IDLE_SECONDS', 10),
  };
}
