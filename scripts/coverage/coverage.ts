/**
 * `npm run coverage`: runs the tests of `npm test` once per database, and reports the functions of `db/` and `queue/` that only one of them
 * calls. Such a function is part of one dialect (`ONE_DIALECT`), or a test of it must declare both databases. Takes half an hour.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Dialect, databasesOf } from '../../harness/database/dialect.ts';
import { commandLine } from '../../harness/process/command-line.ts';

/** Files about one dialect, or about how the two differ. */
const ONE_DIALECT = [
  /^db\/migrations\//,
  /^db\/connection\/(sqlite|postgres|partitions|connect|migrate|transactions|wipe|background-migrations|database-facts)/,
  /^queue\/queue-(sqlite|postgres)/,
];
/** Functions whose only caller depends on the dialect. */
const ONLY_ON: Record<Dialect, string[]> = {
  sqlite: [
    ...['db/work/due-work.ts takeDueWork', 'db/connection/database-errors.ts isLockedOut'],
    'db/documents/documents.ts listDigests',
  ],
  postgres: ['db/work/work.ts claimByPlace', 'db/webhooks/old-events.ts endWaiting'],
};
const COLLECT = new URL('collect.ts', import.meta.url).pathname;

commandLine('npm run coverage', {});
const called = { sqlite: await run('sqlite'), postgres: await run('postgres') };
const faults = [...missing('sqlite', 'postgres'), ...missing('postgres', 'sqlite')];
console.log(faults.join('\n') || `${called.sqlite.size} functions on SQLite, ${called.postgres.size} on Postgres.`);
process.exitCode = faults.length > 0 ? 1 : 0;

async function run(database: Dialect): Promise<Set<string>> {
  const folder = mkdtempSync(join(tmpdir(), 'screening-coverage-'));
  const files = globSync('contract-tests/**/*.test.ts').filter((file) => databasesOf(file, 'daily').includes(database));
  const child = spawn('mocha', ['--parallel', '--jobs', '3', '--reporter', 'dot', ...files], {
    env: {
      ...process.env,
      TEST_DATABASE: database,
      COVERAGE_FOLDER: folder,
      NODE_OPTIONS: `--import=${COLLECT}`,
    },
    stdio: 'inherit',
  });
  await once(child, 'exit');
  const functions = readdirSync(folder).flatMap((name): string[] =>
    JSON.parse(readFileSync(join(folder, name), 'utf8')),
  );
  rmSync(folder, { recursive: true });
  return new Set(functions);
}

function missing(there: Dialect, here: Dialect): string[] {
  return [...called[there]]
    .filter((name) => !called[here].has(name) && !ONLY_ON[there].includes(name))
    .filter((name) => !ONE_DIALECT.some((file) => file.test(name)))
    .map((name) => `${name} runs on ${there} only: declare databases('both') in a test of it.`);
}
