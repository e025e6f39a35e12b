/**
 * `npm run bench:growth`: the cost of a request with a thousand times the data, more people in an application, more webhooks per
 * event, and more processes on one database. Method and figures: docs/performance.md.
 */
import type { Load } from './api/load.ts';
import { openPlace, type Place } from './databases.ts';
import { chart } from './growth/chart.ts';
import { measureFanOut } from './growth/fan-out.ts';
import { measureIds } from './growth/ids.ts';
import { measureProcesses } from './growth/processes.ts';
import { asked as operations } from './growth/requests.ts';
import { type Cost, measureSizes, sizesResult } from './growth/sizes.ts';
import { Remote } from './remote.ts';
import type { Result } from './result.ts';
import { chosen, runBench } from './run.ts';

const PARTS = ['applications', 'participants', 'webhooks', 'processes', 'ids'] as const;
type Part = (typeof PARTS)[number];

const THOROUGH = {
  applications: [1_000, 10_000, 100_000, 1_000_000],
  webhooks: [1, 10, 100, 1_000],
  deliveries: 1_000_000,
  rounds: 7,
};
const QUICK: typeof THOROUGH = {
  applications: [1_000, 10_000],
  webhooks: [1, 10, 100],
  deliveries: 100_000,
  rounds: 3,
};
/** While the number of participants varies. */
const APPLICATIONS = 10_000;
const USUAL_PARTICIPANTS = 3;

await runBench({
  command: 'bench:growth',
  databases: ['sqlite', 'postgres'],
  database: 'both',
  names: PARTS,
  usage: { name: 'PART', list: PARTS.join(', ') },
  chart,
  measure: async (database, { named, quick }, tell) => {
    const costs: Cost[] = [];
    for (const part of chosen(PARTS, named)) {
      // A separate database for each part: a part must not pay for another's leftovers.
      const place = await openPlace(database);
      const load = new Remote<Load>(import.meta.resolve('./api/load.ts'));
      try {
        costs.push(...(await measurePart(part, { place, load, effort: quick ? QUICK : THOROUGH, tell })));
      } finally {
        await load.end();
        await place.close();
      }
    }
    return { costs };
  },
});

interface Scope {
  place: Place;
  load: Remote<Load>;
  effort: typeof THOROUGH;
  tell: (result: Result) => void;
}

/** @returns the costs by size, for the chart */
async function measurePart(part: Part, { place, load, effort, tell }: Scope): Promise<Cost[]> {
  const { rounds } = effort;
  const found: Cost[] = [];
  if (part === 'applications') {
    const sizes = effort.applications.map((applications) => ({ applications, participants: USUAL_PARTICIPANTS }));
    for await (const costs of measureSizes(place, load, { sizes, operations, rounds })) {
      found.push(...costs);
      tell(sizesResult(place, costs, 'applications'));
    }
  } else if (part === 'participants') {
    const sizes = [1, 2, 3, 4, 5].map((participants) => ({ applications: APPLICATIONS, participants }));
    for await (const costs of measureSizes(place, load, { sizes, operations: operations.slice(0, 2), rounds }))
      tell(sizesResult(place, costs, 'participants'));
  } else if (part === 'webhooks') tell(await measureFanOut(place, effort.webhooks));
  else if (place.name === 'sqlite')
    return found; // Its log holds each page once, and its file serves one process.
  else if (part === 'ids') tell(await measureIds(place, effort.deliveries));
  else for (const result of await measureProcesses(place, rounds)) tell(result);
  return found;
}
