import { dialect, type RunningPostgres, startPostgres } from './databases.ts';

let postgres: RunningPostgres | undefined;

/** One Postgres for the whole run; each service under test gets a database of its own in it. */
export async function mochaGlobalSetup(): Promise<void> {
  if (dialect !== 'postgres' || process.env['TEST_POSTGRES_URL']) return;
  postgres = await startPostgres();
  process.env['TEST_POSTGRES_URL'] = postgres.url;
}

export async function mochaGlobalTeardown(): Promise<void> {
  await postgres?.stop();
}
