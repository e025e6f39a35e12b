/**
 * `npm run bench:webhooks`: how fast events reach their endpoints, when all is well and when endpoints hang how many a second
 * at most, and what sealing their bodies costs. Everything runs side by side on this machine. Method and figures: docs/performance.md.
 */
import { openPlace, type Place } from './databases.ts';
import { chosen, runBench } from './run.ts';
import { measureBurst } from './webhooks/burst.ts';
import { measureSealing } from './webhooks/sealing.ts';
import { measureSteady } from './webhooks/steady.ts';
import { measureThroughput } from './webhooks/throughput.ts';

const parts = {
  steady: (place: Place, quick: boolean) => measureSteady(place, quick ? 5 : 20),
  burst: async (place: Place) => [await measureBurst(place)],
  sealing: async (place: Place, quick: boolean) => [await measureSealing(place, quick ? 5 : 20)],
  throughput: async (place: Place, quick: boolean) => [await measureThroughput(place, quick ? 2_000 : 10_000)],
};
const names = Object.keys(parts) as (keyof typeof parts)[];

await runBench({
  command: 'bench:webhooks',
  databases: ['postgres', 'sqlite'],
  database: 'postgres',
  names,
  usage: { name: 'PART', list: names.join(', ') },
  measure: async (database, { named, quick }, tell) => {
    const place = await openPlace(database);
    try {
      for (const part of chosen(names, named)) for (const result of await parts[part](place, quick)) tell(result);
    } finally {
      await place.close();
    }
    return {};
  },
});
