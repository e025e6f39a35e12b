/**
 * `npm run bench`: this service's start-up time, cost per request and memory, beside servers of the same two operations, written by
 * hand without its contract, on the same database. Everything runs side by side on this machine. Method and figures: docs/performance.md.
 */
import { chart } from './api/chart.ts';
import { type Compared, compare, comparedResult, type Effort } from './api/compare.ts';
import { measureFloods } from './api/floods.ts';
import type { Load } from './api/load.ts';
import { operations } from './api/operations.ts';
import { comparePairs, type PairEffort } from './api/pairs.ts';
import { type Prepared, prepare } from './api/prepared.ts';
import { peers, programs, raw, rawAtOnce, service, serviceByDefault } from './api/programs.ts';
import { checkSameness } from './api/sameness.ts';
import { type Program, Server } from './api/server.ts';
import { compareStarts, type Started, startedResult } from './api/starts.ts';
import { openPlace } from './databases.ts';
import { Remote } from './remote.ts';
import { type Asked, chosen, runBench } from './run.ts';

const PARTS = ['starts', 'read', 'create', 'pairs', 'floods'] as const;
const PEERS = peers.map(fileName);
const SIZE = { applications: 1_000, participants: 3 };
const THOROUGH: Effort & { starts: number; floods: number; pairs: PairEffort } = {
  warmUp: { read: 20_000, create: 1_200 },
  rounds: 12,
  count: { read: 2_000, create: 300 },
  pacedRounds: 2,
  paced: 250,
  starts: 5,
  floods: 8,
  pairs: { generations: 3, rounds: 10, warmUp: 5_000, count: 1_000 },
};
const QUICK: typeof THOROUGH = {
  warmUp: { read: 20_000, create: 800 },
  rounds: 5,
  count: { read: 1_500, create: 300 },
  pacedRounds: 1,
  paced: 200,
  starts: 2,
  floods: 4,
  pairs: { generations: 1, rounds: 10, warmUp: 4_000, count: 1_000 },
};

await runBench({
  command: 'bench',
  databases: ['sqlite', 'postgres'],
  database: 'both',
  names: [...PARTS, ...PEERS],
  usage: { name: 'NAME', list: `a part (${PARTS.join(', ')}) or a peer (${PEERS.join(', ')})` },
  chart,
  measure: async (database, asked, tell) => {
    const place = await openPlace(database);
    const load = new Remote<Load>(import.meta.resolve('./api/load.ts'));
    const effort = asked.quick ? QUICK : THOROUGH;
    const parts = chosen(PARTS, asked.named);
    const contenders = contendersOf(asked);
    try {
      const prepared = await prepare(place, SIZE);
      const started = parts.includes('starts') ? await measureStarts(prepared, contenders, effort.starts) : [];
      if (started.length > 0) tell(startedResult(prepared, started));
      const compared: Compared[] = [];
      const chosenOperations = operations.filter((one) => parts.includes(one));
      if (chosenOperations.length > 0)
        await onServers(prepared, contenders, async (servers) => {
          for (const operation of chosenOperations) {
            const ofOperation = await compare(load, prepared, servers, operation, effort);
            tell(comparedResult(database, operation, ofOperation));
            compared.push(...ofOperation);
          }
        });
      // On SQLite alone: the less else a request does, the more the difference shows.
      if (parts.includes('pairs') && database === 'sqlite') tell(await comparePairs(load, prepared, effort.pairs));
      if (parts.includes('floods')) tell(await measureFloods(prepared, effort.floods));
      return { compared, started };
    } finally {
      await load.end();
      await place.close();
    }
  },
});

function measureStarts(prepared: Prepared, contenders: readonly Program[], rounds: number): Promise<Started[]> {
  const startable = contenders.filter((program) => !program.operations);
  return compareStarts(prepared, [...startable, serviceByDefault], rounds);
}

/** The service and what it is always compared with, and of the peers those that are named. */
function contendersOf({ named }: Asked): Program[] {
  const chosenPeers = chosen(PEERS, named);
  return programs.filter(
    (program) => [raw, rawAtOnce, service].includes(program) || chosenPeers.includes(fileName(program)),
  );
}

function fileName({ file }: Program): string {
  return file.replace(/.*\/|\.ts$/g, '');
}

/** Starts every program, each on a database of its own, and checks that they do the same before any is measured. */
async function onServers<Found>(
  prepared: Prepared,
  contenders: readonly Program[],
  work: (servers: Server[]) => Promise<Found>,
): Promise<Found> {
  const servers: Server[] = [];
  try {
    for (const program of contenders) servers.push(await Server.start(program, prepared));
    await checkSameness(prepared, servers);
    return await work(servers);
  } finally {
    await Promise.all(servers.map((server) => server.end()));
  }
}
