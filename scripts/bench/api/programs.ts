import type { Program } from './server.ts';
import { sandbox } from './settings.ts';

const peer = (name: string, file: string, validates = false): Program => ({
  name,
  file: `scripts/bench/peers/${file}.ts`,
  validates,
});

/** The limit, to which all others stand in a ratio. */
export const raw = peer('node:http', 'raw');
/** The limit with the service's own way to read an application: one statement, whose participants are JSON. */
export const rawAtOnce: Program = {
  ...raw,
  name: 'node:http, our SQL',
  env: { AT_ONCE: 'true' },
  operations: ['read'],
};
export const nest = peer('NestJS on Express', 'nest', true);
export const service: Program = { name: 'this service', file: 'bin/api.ts', validates: true };

/** As it starts with nothing set: on SQLite, without providers that a live service has. */
export const serviceByDefault: Program = {
  ...service,
  name: 'this service by default',
  env: sandbox,
};

/** What is compared. */
export const programs: readonly Program[] = [
  raw,
  rawAtOnce,
  peer('Fastify with schemas', 'fastify', true),
  peer('Express by hand', 'express'),
  nest,
  service,
];
