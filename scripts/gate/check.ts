import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CHANGELOG, hashOf, lastReleased, readChangelog, type Section, withHash } from './changelog.ts';
import { type Contract, ContractError, parseContract } from './document.ts';
import { namesOnly, problemsOf } from './verdict.ts';

const RELEASED = 'docs/contract/released.yaml';

/** The gate's verdict on a contract. */
export interface Finding {
  /** The reasons why it may not replace the released one; empty when it may. */
  problems: string[];
  /** Differences in generated code only. */
  names: string[];
}

/** Judges the contract in a folder; with `isRelease` and no problems, it becomes the released one. */
export async function check(folder: string, options: { isRelease: boolean }): Promise<Finding> {
  try {
    return await judge(folder, options);
  } catch (error) {
    if (error instanceof ContractError || isAbsence(error)) return { problems: [error.message], names: [] };
    throw error;
  }
}

async function judge(folder: string, { isRelease }: { isRelease: boolean }): Promise<Finding> {
  const text = await read(folder, 'openapi.yaml');
  const contract = parseContract('openapi.yaml', text);
  const changelog = await read(folder, CHANGELOG);
  const sections = readChangelog(changelog);
  const last = lastReleased(sections);
  if (!last && !isRelease)
    return { problems: [`${CHANGELOG} has no "Contract: SHA-256" of a released contract: restore it.`], names: [] };
  const released = last ? await readReleased(folder, last) : contract;
  const names = namesOnly(contract, released);
  const problems = problemsOf(contract, released, changelog);
  if (!isRelease) return { problems, names };
  const faults = [...problems, ...undated(contract, sections), ...(last ? [] : alreadyDated(contract, sections))];
  return { problems: faults.length > 0 ? faults : await release(folder, contract, text, changelog), names };
}

/**
 * @throws ContractError unless it matches the changelog's hash of the released contract
 */
async function readReleased(folder: string, { version, hash }: Section): Promise<Contract> {
  const text = await read(folder, RELEASED);
  if (hashOf(text) !== hash)
    throw new ContractError(
      `${RELEASED} is not what was released as ${version} (${CHANGELOG} has its SHA-256): restore it.`,
    );
  return parseContract(RELEASED, text);
}

function undated({ version }: Contract, sections: Section[]): string[] {
  const dated = sections.some((section) => section.version === version && section.date);
  return dated ? [] : [`${CHANGELOG} has no dated "## ${version} - YYYY-MM-DD" to release.`];
}

/** Before the first release, only the version being released has a date. */
function alreadyDated({ version }: Contract, sections: Section[]): string[] {
  const earlier = sections.filter((section) => section.date && section.version !== version);
  return earlier.map((section) => `${CHANGELOG}: ${section.version} has lost its "Contract: SHA-256": restore it.`);
}

async function release(folder: string, { version }: Contract, text: string, changelog: string): Promise<string[]> {
  const lint = fileURLToPath(new URL('../lint/lint.ts', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [lint, join(folder, 'openapi.yaml')], {
    encoding: 'utf8',
  });
  if (status !== 0) return [`openapi.yaml does not pass its lint:\n${stdout}${stderr}`];
  await writeFile(join(folder, RELEASED), text);
  await writeFile(join(folder, CHANGELOG), withHash(changelog, version, hashOf(text)));
  return [];
}

function read(folder: string, name: string): Promise<string> {
  return readFile(join(folder, name), 'utf8');
}

function isAbsence(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
