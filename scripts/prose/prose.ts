/**
 * `npm run prose`: rejects phrases that read as translated, in documentation, contract, pages, mails, messages, comments and test titles.
 * Each line of the report says where, what, and what to write instead. Exits with 1 when there is one, or an exception that nothing needs.
 * `-- FILE ...` checks other files.
 */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { commandLine } from '../../harness/process/command-line.ts';
import { exceptions, findingsIn } from './habits.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FILES = '**/*.{md,ts,cts,mts,mjs,cjs,js,css,sql,sh,yaml,yml,html,service,env}';

/** Not our wording: generated, installed, released, or data. */
const EXCLUDED = ['**/node_modules', 'generated', 'dist', 'data', 'db/migrations', 'docs/contract/released.yaml'];

const { positionals: named } = commandLine('npm run prose [-- FILE...]', { allowPositionals: true });
const files = named.length > 0 ? named : globSync(FILES, { cwd: ROOT, exclude: EXCLUDED }).sort();
const needed = new Set<(typeof exceptions)[number]>();
const report = files.flatMap((file) =>
  findingsIn(readFileSync(named.length > 0 ? file : `${ROOT}${file}`, 'utf8')).flatMap(({ line, phrase, instead }) => {
    const exception = exceptions.find((one) => one.file === file && phrase.includes(one.phrase));
    if (exception) needed.add(exception);
    return exception ? [] : [`${file}:${line}: "${phrase}": ${instead}`];
  }),
);
if (named.length === 0)
  for (const exception of exceptions)
    if (!needed.has(exception)) report.push(`${exception.file}: the exception for "${exception.phrase}" has no use.`);
for (const line of report) console.error(line);
console.log(`${files.length} files, ${report.length} phrases to rewrite.`);
process.exitCode = report.length > 0 ? 1 : 0;
