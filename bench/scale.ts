/**
 * `npm run bench:scale`: a month of deliveries in the tables of Postgres, and what the next month's work costs there, piece by piece:
 * the base of the capacity table. Method and figures: docs/performance.md.
 */
import { openPlace } from './databases.ts';
import type { Result } from './result.ts';
import { chosen, runBench } from './run.ts';
import { measureAbsence } from './scale/absent.ts';
import { capacity } from './scale/capacity.ts';
import type { Measured } from './scale/costs.ts';
import { measureLooks } from './scale/looks.ts';
import { measureEvents, measureRequests, measureSteadyMix } from './scale/mix.ts';
import { measurePlans } from './scale/plans.ts';
import { measureSizes } from './scale/sizes.ts';
import { openStage, type Stage } from './scale/stage.ts';
import { measureMigration, measureRetention, measureVacuum } from './scale/upkeep.ts';

const PARTS = ['plans', 'requests', 'events', 'absent', 'looks', 'migration', 'vacuum', 'retention'] as const;
const ROWS = 10_000_000;
const QUICK_ROWS = 200_000;
const THOROUGH = { requests: 4, events: 20_000, waiting: 1_000_000, seconds: 20, backlog: 300_000 };
const QUICK: typeof THOROUGH = { requests: 1, events: 1_000, waiting: 50_000, seconds: 5, backlog: 20_000 };

/** The settings of a machine dedicated to a database. */
const FLAGS = [
  ...['shared_buffers=2GB', 'max_wal_size=8GB', 'checkpoint_timeout=15min', 'maintenance_work_mem=1GB'],
  'autovacuum_naptime=15s',
];

await runBench({
  command: 'bench:scale',
  databases: ['postgres'],
  database: 'postgres',
  names: PARTS,
  usage: { name: 'PART', list: PARTS.join(', ') },
  rows: ROWS,
  measure: async (database, { named, quick, rows, keep }, tell) => {
    const measured: Measured = { costs: {}, bytes: {} };
    const place = await openPlace(database, { flags: FLAGS, keep });
    try {
      const stage = await openStage(place, quick && rows === ROWS ? QUICK_ROWS : rows);
      console.log(`${rows} deliveries and what belongs to them: made in ${Math.round(stage.history.seconds)} s\n`);
      try {
        tell(await measureSizes(stage.db, stage.history, measured.bytes));
        for (const part of chosen(PARTS, named))
          for (const result of await measurePart(part, stage, quick ? QUICK : THOROUGH, measured)) tell(result);
        for (const result of capacity(measured)) tell(result);
      } finally {
        await stage.close();
      }
    } finally {
      await place.close();
    }
    return { measured };
  },
});

async function measurePart(
  part: (typeof PARTS)[number],
  stage: Stage,
  effort: typeof THOROUGH,
  { costs }: Measured,
): Promise<Result[]> {
  if (part === 'plans') return [await measurePlans(stage, effort.backlog)];
  if (part === 'requests') return [await measureRequests(stage, effort, costs)];
  if (part === 'events') return [await measureEvents(stage, effort, costs), await measureSteadyMix(stage, effort)];
  if (part === 'absent') return [await measureAbsence(stage, effort.waiting, effort.seconds)];
  if (part === 'looks') return measureLooks(stage);
  if (part === 'migration') return [await measureMigration(stage, effort.seconds)];
  if (part === 'vacuum') return [await measureVacuum(stage)];
  return [await measureRetention(stage)];
}
