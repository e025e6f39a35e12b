/**
 * `npm run gate`: what differs between openapi.yaml and the contract that was released last, and whether it may.
 * `npm run gate -- --release` makes openapi.yaml the released one. `-- --in <folder>` reads the files there.
 */
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readChangelog } from './gate/changelog.ts';
import { ContractError, readContract } from './gate/document.ts';
import { problemsOf } from './gate/verdict.ts';

const { values } = parseArgs({ options: { release: { type: 'boolean' }, in: { type: 'string' } } });
const folder = values.in ?? fileURLToPath(new URL('..', import.meta.url));
const files = {
  contract: join(folder, 'openapi.yaml'),
  released: join(folder, 'docs/contract/released.yaml'),
  changelog: join(folder, 'docs/contract/CHANGELOG.md'),
};

const problems = await check();
for (const problem of problems) console.error(`✘ ${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
else if (values.release) await copyFile(files.contract, files.released);
if (problems.length === 0) console.log(values.release ? 'Released.' : 'openapi.yaml keeps what was released.');

async function check(): Promise<string[]> {
  try {
    const contract = readContract('openapi.yaml', await readFile(files.contract, 'utf8'));
    const changelog = await readFile(files.changelog, 'utf8');
    const last = await readFile(files.released, 'utf8').catch(absent);
    if (last === undefined && !values.release)
      return ['docs/contract/released.yaml is missing: restore it, or release for the first time with -- --release.'];
    const released = last === undefined ? contract : readContract('docs/contract/released.yaml', last);
    const problems = problemsOf(contract, released, changelog);
    return values.release ? [...problems, ...withoutDate(contract.version, changelog)] : problems;
  } catch (error) {
    if (error instanceof ContractError || isAbsence(error)) return [error.message];
    throw error;
  }
}

function withoutDate(version: string, changelog: string): string[] {
  const dated = readChangelog(changelog).some((section) => section.version === version && section.date);
  return dated ? [] : [`docs/contract/CHANGELOG.md has no dated "## ${version} - YYYY-MM-DD" to release.`];
}

function absent(error: unknown): undefined {
  if (!isAbsence(error)) throw error;
}

function isAbsence(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
