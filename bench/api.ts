/**
 * `npm run bench`: this service's start-up time, cost per request and memory, beside raw `node:http` and NestJS with the same two operations,
 * without the contract, on the same database. Everything runs side by side on this machine. Method and figures: docs/performance.md.
 */
import { chart } from './api/chart.ts';
import { type Compared, compared, comparedResult, type Effort, measureOperation } from './api/compare.ts';
import { measureFloods } from './api/floods.ts';
import type { Load } from './api/load.ts';
import { type Crowding, measureNeighbours } from './api/neighbours/neighbours.ts';
import { type Operation, operations } from './api/operations.ts';
import { comparePairs, type PairEffort } from './api/pairs.ts';
import { type Prepared, prepare } from './api/prepared.ts';
import { programs, serviceByDefault } from './api/programs.ts';
import { checkSameness } from './api/sameness.ts';
import { Server } from './api/server.ts';
import { compareStarts, type Started, startedResult } from './api/starts.ts';
import { openPlace } from './databases.ts';
import { Remote } from './remote.ts';
import { chosen, runBench } from './run.ts';

const PARTS = ['starts', 'read', 'create', 'pairs', 'floods', 'neighbours'] as const;
const SIZE = { applications: 1_000, participants: 3 };
const THOROUGH: Effort & { starts: number; floods: number; neighbours: Crowding; pairs: PairEffort } = {
  generations: 3,
  warmUp: { read: 20_000, create: 10_000 },
  rounds: 6,
  count: { read: 2_000, create: 300 },
  paced: 250,
  starts: 5,
  floods: 8,
  neighbours: { looks: 100, every: 1, deliveries: 300_000, documents: 2_000, events: 100, files: 100 },
  pairs: { generations: 3, rounds: 10, warmUp: 5_000, count: 1_000 },
};
const QUICK: typeof THOROUGH = {
  generations: 1,
  warmUp: { read: 20_000, create: 800 },
  rounds: 5,
  count: { read: 1_500, create: 300 },
  paced: 200,
  starts: 2,
  floods: 4,
  neighbours: { looks: 30, every: 12, deliveries: 30_000, documents: 100, events: 20, files: 20 },
  pairs: { generations: 1, rounds: 10, warmUp: 4_000, count: 1_000 },
};

await runBench({
  command: 'bench',
  databases: ['sqlite', 'postgres'],
  database: 'both',
  names: PARTS,
  usage: { name: 'PART', list: PARTS.join(', ') },
  beside: 'OPERATION|PAGE|KIND|crowds|applicants',
  chart,
  measure: async (database, asked, tell) => {
    const place = await openPlace(database);
    const load = newLoad();
    const effort = asked.quick ? QUICK : THOROUGH;
    const parts = chosen(PARTS, asked.named);
    try {
      const prepared = await prepare(place, SIZE);
      const started = parts.includes('starts') ? await measureStarts(prepared, effort.starts) : [];
      if (started.length > 0) tell(startedResult(prepared, started));
      const chosenOperations = operations.filter((one) => parts.includes(one));
      const found = await measureOperations(load, prepared, chosenOperations, effort);
      for (const [operation, ofOperation] of found) tell(comparedResult(database, operation, ofOperation));
      // On SQLite only: the less else a request does, the more the difference shows.
      if (parts.includes('pairs') && database === 'sqlite') tell(await comparePairs(load, prepared, effort.pairs));
      if (parts.includes('floods')) tell(await measureFloods(prepared, effort.floods));
      if (parts.includes('neighbours'))
        for (const result of await measureNeighbours(place, { ...effort.neighbours, beside: asked.beside }))
          tell(result);
      return { compared: [...found.values()].flat(), started };
    } finally {
      await load.end();
      await place.close();
    }
  },
});

function newLoad(): Remote<Load> {
  return new Remote<Load>(import.meta.resolve('./api/load.ts'));
}

function measureStarts(prepared: Prepared, rounds: number): Promise<Started[]> {
  const startable = programs.filter((program) => !program.operations);
  return compareStarts(prepared, [...startable, serviceByDefault], rounds);
}

/** Each operation on every server, in several generations of processes. */
async function measureOperations(
  load: Remote<Load>,
  prepared: Prepared,
  chosenOperations: readonly Operation[],
  effort: Effort,
): Promise<Map<Operation, Compared[]>> {
  const measured = chosenOperations.map((operation) => ({ operation, of: { saturated: [], paced: [] } }));
  const generations = measured.length > 0 ? effort.generations : 0;
  for (let generation = 0; generation < generations; generation++)
    await onServers(prepared, async (servers) => {
      for (const { operation, of } of measured) await measureOperation(load, prepared, servers, operation, effort, of);
    });
  return new Map(measured.map(({ operation, of }) => [operation, compared(operation, programs, of)]));
}

/** Starts every program with its own database, and checks that they do the same before any is measured. */
async function onServers(prepared: Prepared, work: (servers: Server[]) => Promise<void>): Promise<void> {
  const servers: Server[] = [];
  try {
    for (const program of programs) servers.push(await Server.start(program, prepared));
    await checkSameness(prepared, servers);
    await work(servers);
  } finally {
    await Promise.all(servers.map((server) => server.end()));
  }
}
