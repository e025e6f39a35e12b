import { randomUUID } from 'node:crypto';
import type { DatabaseLimits } from '../../../core/settings/database-settings.ts';
import type { Expected } from '../connections.ts';
import { type PipelinedClient, sessionLimits } from './client.ts';

/** The server at an address does not work with this service. The message says what to change. */
export class UnfitRoute extends Error {}

interface Route {
  /** Sits between us and Postgres and reports its own numbers. */
  hasPooler: boolean;
  /** The pooler renames prepared statements, which PgBouncer does in transaction mode since 1.21. */
  renames: boolean;
  /** The server process. */
  pid: number;
  /** In milliseconds, by setting. */
  limits: Record<string, number>;
  role: string;
  database: string;
}

const DESCRIBE = `select pg_backend_pid() as pid, current_user as role, current_database() as database,
    (select json_object_agg(name, setting::int) from pg_settings
      where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')) as limits,
    exists (select from pg_prepared_statements where name = $1) as is_kept`;

/**
 * Detects a pooler in between, and refuses a pooler that would fail later, under load.
 * @param second another connection of the same address
 * @throws UnfitRoute
 */
export async function expectFitRoute(
  client: PipelinedClient,
  second: <Result>(work: (client: PipelinedClient) => Promise<Result>) => Promise<Result>,
  { setting, isPooled, limits }: Expected,
): Promise<void> {
  const route = await describe(client);
  if (isPooled) {
    if (route.hasPooler && !route.renames) throw new UnfitRoute(tooOld(setting));
  } else if (route.renames || (route.hasPooler && (await sharesServers(route, second))))
    throw new UnfitRoute(noSession(setting));
  const missing = (isPooled || route.hasPooler) && unlimited(route, limits);
  if (missing) throw new UnfitRoute(`${setting}: ${missing}`);
}

/** Prepares a statement under a name and then looks it up, in a transaction so that a pooler cannot switch servers in between. */
async function describe(client: PipelinedClient): Promise<Route> {
  const name = `prepared_probe_${randomUUID()}`;
  await client.query('begin');
  try {
    const { rows } = await client.query({ name, text: DESCRIBE, values: [name] });
    const { is_kept, ...found } = rows[0];
    return { ...found, renames: !is_kept, hasPooler: client.processID !== null && client.processID !== found.pid };
  } finally {
    await client.query('rollback');
  }
}

/** Whether the process that serves the first connection, which stays open, also serves a second one. */
async function sharesServers({ pid }: Route, second: Parameters<typeof expectFitRoute>[1]): Promise<boolean> {
  return second(async (other) => (await other.query('select pg_backend_pid() as pid')).rows[0].pid === pid);
}

/** Postgres must end slow statements: a pooler leaves them running after its client has given up. */
function unlimited({ role, database, limits: found }: Route, limits: DatabaseLimits): string | undefined {
  const wanted = Object.entries(sessionLimits(limits));
  const isIn = ([name, max]: [string, number]) => (found[name] ?? 0) > 0 && (found[name] ?? 0) <= max;
  if (wanted.every(isIn)) return undefined;
  const statements = wanted.map(
    ([name, ms]) => `alter role "${role}" in database "${database}" set ${name} = '${ms}ms';`,
  );
  return (
    'behind a pooler, Postgres must know the limits of waits itself. Run, as an owner of the database: ' +
    `${statements.join(' ')} Then RECONNECT in the console of PgBouncer, and start again.`
  );
}

const tooOld = (setting: string) =>
  `the pooler of ${setting} does not support prepared statements: it takes PgBouncer 1.21 or newer with max_prepared_statements ` +
  'above 0 and pool_mode = transaction. In session mode, leave DATABASE_SESSION_URL out.';

const noSession = (setting: string) =>
  setting === 'DATABASE_URL'
    ? 'DATABASE_URL leads to a pooler in transaction mode: name the address of Postgres itself in DATABASE_SESSION_URL, for ' +
      'migrations, commands and the queue.'
    : 'DATABASE_SESSION_URL leads to a pooler in transaction mode: name the address of Postgres itself.';
