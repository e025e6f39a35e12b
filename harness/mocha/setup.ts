import { appendFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { relative } from 'node:path';
import { config, util } from 'chai';
import { undeclared, watchAnswers } from '../contract/declared-answers.ts';
import { prepareTemplate } from '../database/databases.ts';
import { databasesOf, dialect } from '../database/dialect.ts';
import { type PgBouncer, startPgbouncer } from '../database/pgbouncer.ts';
import { type RunningPostgres, startPostgres } from '../database/postgres-server.ts';
import { POOLER } from '../process/through-pooler.ts';
import { noteTest } from './figures.ts';

/** The service's default limits, which a pooler cannot set per session. */
const LIMITS =
  "set statement_timeout = '3600ms'; set lock_timeout = '2s'; set idle_in_transaction_session_timeout = '10s'";

/** Where each file of a parallel run appends its duration. */
const TIMES = process.env['TEST_TIMES'];
let startedAt = 0;
let isCompiledCodeKept = false;

let postgres: RunningPostgres | undefined;
let pooler: PgBouncer | undefined;
let removeTemplate: (() => Promise<void>) | undefined;

/** Starts one Postgres for the whole run; each service under test gets its own database in it. */
export async function mochaGlobalSetup(): Promise<void> {
  if (dialect === 'postgres' && !process.env['TEST_POSTGRES_URL']) {
    // Autovacuum would visit hundreds of databases that no test uses any more.
    postgres = await startPostgres({ flags: ['autovacuum=off'] });
    process.env['TEST_POSTGRES_URL'] = postgres.url;
  }
  if (postgres && process.env['TEST_POOLER'] === 'pgbouncer') {
    pooler = await startPgbouncer(postgres.url, [], LIMITS);
    process.env[POOLER] = pooler.through(postgres.url).replace(/\/$/, '');
  }
  removeTemplate = await prepareTemplate();
}

export async function mochaGlobalTeardown(): Promise<void> {
  await removeTemplate?.();
  await pooler?.stop();
  await postgres?.stop();
}

watchAnswers();

// chai compares bytes one after the other, which takes seconds for a document.
config.deepEqual = (expected, actual) =>
  util.eql(expected, actual, {
    comparator: (one: unknown, other: unknown) =>
      one instanceof Uint8Array && other instanceof Uint8Array ? Buffer.compare(one, other) === 0 : null,
  });

/**
 * An undeclared answer fails the test that caused it, or the next one when it comes late. It is reported by the test
 * function itself: an error thrown in an `afterEach` hook would abort the whole run.
 */
export const mochaHooks = {
  beforeAll(this: Mocha.Context): void {
    startedAt = performance.now();
    // As `npm test` does, so that a new file by hand fails in the same way.
    for (const file of filesOf(this.test?.parent))
      if (/^contract-tests.*\.test\.ts$/.test(file)) databasesOf(file, 'daily');
  },
  beforeEach(this: Mocha.Context): void {
    const test = this.currentTest;
    noteTest(test);
    const run = test?.run.bind(test);
    if (!test || !run) return;
    test.run = (done) =>
      run((error: unknown) => {
        const unasked = undeclared();
        done?.(error ?? unasked);
      });
  },
  afterEach(): void {
    // Node keeps it at the end of a process. By then, most programs that tests start have compiled the same again.
    if (!isCompiledCodeKept) flushCompileCache();
    isCompiledCodeKept = true;
  },
  afterAll(this: Mocha.Context): void {
    if (TIMES) appendFileSync(TIMES, `${JSON.stringify(timeOf(this.test?.parent))}\n`);
    const error = undeclared();
    if (error) throw error;
  },
};

/** Relative to the root, each once. */
function filesOf(root: Mocha.Suite | undefined): string[] {
  return [...new Set(root?.suites.map(({ file }) => relative('.', file ?? '')))];
}

function timeOf(root: Mocha.Suite | undefined): { file: string; database: string; ms: number } {
  const [file = ''] = filesOf(root);
  return { file, database: dialect, ms: Math.round(performance.now() - startedAt) };
}
