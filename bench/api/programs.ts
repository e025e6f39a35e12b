import { readFileSync } from 'node:fs';
import type { Program } from './server.ts';
import { sandbox } from './settings.ts';

const peer = (name: string, file: string, validates = false): Program => ({
  name,
  file: `bench/peers/${file}.ts`,
  validates,
});

/** The baseline of the ratios. */
export const raw = peer('node:http', 'raw');
/** The limit with the service's own SQL for reading an application: one statement, whose participants are JSON. */
export const rawAtOnce: Program = {
  ...raw,
  name: 'node:http, our SQL',
  env: { AT_ONCE: 'true' },
  operations: ['read'],
};
export const nest = peer('NestJS on Express', 'nest', true);
export const service: Program = {
  name: 'this service',
  file: 'bin/api.ts',
  flags: startFlags(),
  validates: true,
  fillsCompileCache: true,
};

/** With default settings: a sandbox with its workers. */
export const serviceByDefault: Program = {
  ...service,
  name: 'this service by default',
  env: sandbox,
};

export const programs: readonly Program[] = [raw, rawAtOnce, nest, service];

/** Node's flags, as in `npm start`. */
function startFlags(): string[] {
  const { scripts }: { scripts: { start: string } } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  // All words between the program and its file: some options have a value of their own.
  return scripts.start.split(' ').slice(2, -1);
}
