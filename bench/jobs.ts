/**
 * `npm run bench:jobs`: how soon jobs start and how fast a backlog drains. Everything runs side by side on this machine. Method and figures: docs/performance.md.
 */
import { openPlace, type Place } from './databases.ts';
import { measureBursts } from './jobs/bursts.ts';
import { measureDrain } from './jobs/drain.ts';
import { measureSteady } from './jobs/steady.ts';
import { chosen, runBench } from './run.ts';
import { measureWhenWell } from './webhooks/steady.ts';

const BACKLOG = 8_000;

const parts = {
  steady: (place: Place, quick: boolean) => measureSteady(place, quick ? 3 : 5),
  bursts: (place: Place, quick: boolean) => measureBursts(place, quick ? 2 : 6),
  drain: (place: Place, quick: boolean) => measureDrain(place, BACKLOG, quick ? 1 : 5),
  // From an event to its verified receipt, as `npm run bench:webhooks` measures it.
  receipts: async (place: Place, quick: boolean) => (await measureWhenWell(place, quick ? 5 : 20)).result,
};
const names = Object.keys(parts) as (keyof typeof parts)[];

await runBench({
  command: 'bench:jobs',
  databases: ['postgres', 'sqlite'],
  database: 'postgres',
  names,
  usage: { name: 'PART', list: names.join(', ') },
  measure: async (database, { named, quick }, tell) => {
    const place = await openPlace(database);
    try {
      for (const part of chosen(names, named)) tell(await parts[part](place, quick));
    } finally {
      await place.close();
    }
    return {};
  },
});
