import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { type Config, readConfig } from '../../core/settings/config.ts';
import { usageFault } from '../../harness/service/admin.ts';
import { documentedSettings, operatingGuide } from '../docs/operating-guide.ts';

/** The settings in the image itself. */
export const ofImage = Object.fromEntries(
  [...(/^ENV (.*)$/m.exec(readFileSync('Containerfile', 'utf8'))?.[1] ?? '').matchAll(/(\w+)=(\S+)/g)].map(
    ([, name = '', value = '']) => [name, value],
  ),
);

/** The minimum by which the time between SIGTERM and SIGKILL must exceed `STOP_SECONDS`. */
const MIN_SPARE_SECONDS = 5;

/** A program as started by a manifest. */
export interface Deployed {
  /** The arguments after `node` and its flags. */
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Seconds between SIGTERM and SIGKILL. */
  graceSeconds?: number;
}

/** Checks that the program exists, accepts its arguments and starts with these settings. @returns the settings it reads from them */
export async function expectStarts({ args, env, graceSeconds }: Deployed): Promise<Config> {
  const [file = '', ...rest] = args;
  expect(existsSync(file), file).to.equal(true);
  if (file === 'bin/admin.ts') expect(await usageFault(...rest)).to.equal(undefined);
  for (const name of Object.keys(env)) expect(documentedSettings, 'a setting').to.include(name);
  const config = readConfig(env);
  if (graceSeconds !== undefined)
    expect(graceSeconds * 1000).to.be.at.least(config.stop.stopMs + MIN_SPARE_SECONDS * 1000);
  return config;
}

/** Reads a file that a block of the guide writes with `cat`, as settings; each generated key is different. */
export function writtenInGuide(file: string): Record<string, string> {
  const [, lines = ''] = new RegExp(`^cat > ${file} <<END\n([^]*?)\nEND$`, 'm').exec(operatingGuide) ?? [];
  const pairs = [...lines.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [
    name,
    value.replace('$(newkey)', randomBytes(32).toString('base64')),
  ]);
  return Object.fromEntries(pairs);
}
