import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { type Config, readConfig } from '../../core/settings/config.ts';
import { usageFault } from '../../harness/service/admin.ts';

/** The settings that the guide for operators has in its tables. */
const documented = new Set(
  readFileSync('docs/operating.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name)),
);

/** The settings that the image itself brings. */
export const ofImage = Object.fromEntries(
  [...(/^ENV (.*)$/m.exec(readFileSync('Containerfile', 'utf8'))?.[1] ?? '').matchAll(/(\w+)=(\S+)/g)].map(
    ([, name = '', value = '']) => [name, value],
  ),
);

/** By how much the time between SIGTERM and SIGKILL exceeds `STOP_SECONDS` at least. */
const LEAST_SPARE_SECONDS = 5;

/** A program as a manifest starts it. */
export interface Deployed {
  /** What follows `node` and its flags. */
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Seconds between SIGTERM and SIGKILL. */
  graceSeconds?: number;
}

/** The program exists and takes its arguments, and it starts with these settings. @returns what it reads from them */
export async function expectStarts({ args, env, graceSeconds }: Deployed): Promise<Config> {
  const [file = '', ...rest] = args;
  expect(existsSync(file), file).to.equal(true);
  if (file === 'bin/admin.ts') expect(await usageFault(...rest)).to.equal(undefined);
  for (const name of Object.keys(env)) expect(documented, 'a setting').to.include(name);
  const config = readConfig(env);
  if (graceSeconds !== undefined)
    expect(graceSeconds * 1000).to.be.at.least(config.stop.stopMs + LEAST_SPARE_SECONDS * 1000);
  return config;
}

/** A file that a block of the guide writes by `cat`, as settings; each made key is another. */
export function writtenInGuide(file: string): Record<string, string> {
  const guide = readFileSync('docs/operating.md', 'utf8');
  const [, lines = ''] = new RegExp(`^cat > ${file} <<END\n([^]*?)\nEND$`, 'm').exec(guide) ?? [];
  const pairs = [...lines.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [
    name,
    value.replace('$(newkey)', randomBytes(32).toString('base64')),
  ]);
  return Object.fromEntries(pairs);
}
