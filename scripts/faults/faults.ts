/**
 * `npm run faults`: every fault of `contract-tests/faults`, longer and more often than in `npm test`, on both databases. Prints promise, figure and verdict;
 * ends with code 1 when a promise is broken.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { type Dialect, isFor } from '../../harness/database/dialect.ts';
import { commandLine, misused } from '../../harness/process/command-line.ts';

const FOLDER = 'contract-tests/faults';
const DATABASES: Dialect[] = ['sqlite', 'postgres'];
/** Replaces the setup of `npm test`, which skips nothing. Leftovers of a broken promise end with the run. */
const OPTIONS = [
  ...['--no-config', '--require', 'harness/mocha/setup.ts', '--timeout', '1200000'],
  ...['--reporter', 'scripts/faults/reporter.ts', '--exit'],
];
const USAGE = `npm run faults -- [--only <fault>] [--database ${DATABASES.join('|')}] [--list]`;

const names = globSync(`${FOLDER}/*.test.ts`)
  .map((file) => basename(file, '.test.ts'))
  .sort();

const { values } = commandLine(USAGE, {
  options: {
    only: { type: 'string', multiple: true, default: names },
    database: { type: 'string', multiple: true, default: DATABASES },
    list: { type: 'boolean', default: false },
  },
});
const only = allowed('--only', values.only, names);
const databases = DATABASES.filter((one) => allowed('--database', values.database, DATABASES).includes(one));
if (values.list) console.log(names.join('\n'));
else process.exitCode = (await Promise.all(databases.map((database) => run(database, only)))).some(Boolean) ? 1 : 0;

function allowed(option: string, given: string[], known: string[]): string[] {
  const wrong = given.find((name) => !known.includes(name));
  if (wrong !== undefined) misused(USAGE, `${option} is "${wrong}"; use one of ${known.join(', ')}.`);
  return given;
}

/** @returns its exit code */
async function run(database: Dialect, only: readonly string[]): Promise<number> {
  const files = only.map((name) => `${FOLDER}/${name}.test.ts`).filter((file) => isFor(file, database));
  if (files.length === 0) return 0;
  const child = spawn('mocha', [...OPTIONS, ...files], {
    env: { ...process.env, TEST_DATABASE: database, FAULTS: 'thorough' },
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}
