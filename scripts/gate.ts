/**
 * `npm run gate`: what differs between openapi.yaml and the contract that was released last, and whether it may.
 * `npm run gate -- --release` makes openapi.yaml the released one. `-- --in <folder>` reads the files there.
 */
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CHANGELOG, hashOf, lastReleased, readChangelog, type Section, withHash } from './gate/changelog.ts';
import { type Contract, ContractError, readContract } from './gate/document.ts';
import { problemsOf } from './gate/verdict.ts';

const RELEASED = 'docs/contract/released.yaml';

const options = optionsOf();
const folder = resolve(options.in ?? fileURLToPath(new URL('..', import.meta.url)));
const read = (name: string) => readFile(join(folder, name), 'utf8');
const write = (name: string, text: string) => writeFile(join(folder, name), text);

const problems = await check();
for (const problem of problems) console.error(`✘ ${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
else console.log(options.release ? 'Released.' : 'openapi.yaml keeps what was released.');

async function check(): Promise<string[]> {
  try {
    const text = await read('openapi.yaml');
    const contract = readContract('openapi.yaml', text);
    const changelog = await read(CHANGELOG);
    const sections = readChangelog(changelog);
    const last = lastReleased(sections);
    if (!last && !options.release)
      return [`${CHANGELOG} has no "Contract: SHA-256" of a released contract: restore it.`];
    const released = last ? await readReleased(last) : contract;
    const problems = problemsOf(contract, released, changelog);
    if (!options.release) return problems;
    const faults = [...problems, ...undated(contract, sections), ...(last ? [] : alreadyDated(contract, sections))];
    return faults.length > 0 ? faults : await release(contract, text, changelog);
  } catch (error) {
    if (error instanceof ContractError || isAbsence(error)) return [error.message];
    throw error;
  }
}

/** @throws ContractError unless it is, to the byte, what the changelog says was released */
async function readReleased({ version, hash }: Section): Promise<Contract> {
  const text = await read(RELEASED);
  if (hashOf(text) !== hash)
    throw new ContractError(
      `${RELEASED} is not what was released as ${version} (${CHANGELOG} has its SHA-256): restore it.`,
    );
  return readContract(RELEASED, text);
}

function undated({ version }: Contract, sections: Section[]): string[] {
  const dated = sections.some((section) => section.version === version && section.date);
  return dated ? [] : [`${CHANGELOG} has no dated "## ${version} - YYYY-MM-DD" to release.`];
}

/** Where nothing was released so far, only the version that is released now has a date. */
function alreadyDated({ version }: Contract, sections: Section[]): string[] {
  const earlier = sections.filter((section) => section.date && section.version !== version);
  return earlier.map((section) => `${CHANGELOG}: ${section.version} has lost its "Contract: SHA-256": restore it.`);
}

async function release({ version }: Contract, text: string, changelog: string): Promise<string[]> {
  const lint = fileURLToPath(new URL('lint.ts', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [lint, join(folder, 'openapi.yaml')], {
    encoding: 'utf8',
  });
  if (status !== 0) return [`openapi.yaml does not pass its lint:\n${stdout}${stderr}`];
  await write(RELEASED, text);
  await write(CHANGELOG, withHash(changelog, version, hashOf(text)));
  return [];
}

function optionsOf() {
  try {
    return parseArgs({ options: { release: { type: 'boolean' }, in: { type: 'string' } } }).values;
  } catch (error) {
    console.error(
      `${error instanceof Error ? error.message : error}\nUsage: npm run gate [-- --release] [--in FOLDER]`,
    );
    process.exit(2);
  }
}

function isAbsence(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
