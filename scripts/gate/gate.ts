/**
 * `npm run gate`: the differences between openapi.yaml and the last released contract, and whether they are allowed.
 * `npm run gate -- --release` makes openapi.yaml the released one. `-- --in <folder>` reads the files there.
 */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandLine } from '../../harness/process/command-line.ts';
import { check } from './check.ts';

const { values: options } = commandLine('npm run gate [-- --release] [--in FOLDER]', {
  options: { release: { type: 'boolean' }, in: { type: 'string' } },
});
const folder = resolve(options.in ?? fileURLToPath(new URL('../..', import.meta.url)));

const { problems, names } = await check(folder, { isRelease: options.release ?? false });
for (const name of names) console.log(name);
for (const problem of problems) console.error(`✘ ${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
else console.log(options.release ? 'Released.' : 'openapi.yaml keeps what was released.');
