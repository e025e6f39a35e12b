import { expect } from 'chai';
import { dialect, type RunningPostgres, startPostgres } from './databases.ts';
import { takeUndeclared, watchAnswers } from './declared-answers.ts';

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

watchAnswers();

/** An answer that the contract does not declare fails the test in which it was given. */
export const mochaHooks = {
  afterEach(): void {
    expect(takeUndeclared(), 'answers that the contract does not declare').to.deep.equal([]);
  },
};
