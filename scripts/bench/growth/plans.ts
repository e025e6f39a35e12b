import { type Database, disconnect, open } from '../../../db/connection/connect.ts';
import { watchPostgres } from '../../../harness/plans/watch-postgres.ts';
import { stepsOf } from '../../../harness/plans/work-backlog.ts';
import type { Place } from '../databases.ts';
import type { Result } from '../result.ts';
import { type Amounts, addBacklog, monthOf } from './month.ts';

const CLAIMED = 200;
const MOST_BUFFERS = 2_000;
/** What is claimed together is spread over the backlog. */
const STRIDE = 97;

/**
 * What a claim, a load and an outcome of 200 deliveries read, out of a backlog that the statistics do not know: by
 * `explain (analyze, buffers)` of the very statements that the service sends.
 */
export async function measurePlans(place: Place, amounts: Amounts & { backlog: number }): Promise<Result> {
  const { config } = await monthOf(place, amounts);
  if (config.database.dialect !== 'postgres') throw new Error('Only Postgres explains with buffers.');
  const watch = await watchPostgres(config.database.url);
  const db = await open(config.database);
  try {
    await db.raw('alter table deliveries set (autovacuum_enabled = off)');
    await addBacklog(db, amounts.backlog);
    const ids = await dueIds(db);
    const rows: Result['rows'] = [];
    for (const [name, step] of stepsOf(db, 'deliveries')) {
      const seen = watch.statements().length;
      const startedAt = performance.now();
      await watch.during(name, () => step(ids));
      const ms = performance.now() - startedAt;
      const statements = watch
        .statements()
        .slice(seen)
        .filter(({ by }) => by === name);
      const most = (value: 'found' | 'pages') => Math.max(...statements.map((statement) => statement[value]));
      rows.push({ step: name, ms: Math.round(ms), buffers_to_find: most('found'), buffers_in_all: most('pages') });
    }
    const claim = rows.find(({ step }) => step === 'claim')?.['buffers_to_find'];
    return {
      title: `${place.name}: ${CLAIMED} of ${amounts.backlog} unanalysed deliveries that are due or delayed, among ${amounts.deliveries}`,
      rows,
      marks: [
        {
          database: place.name,
          promise: `buffers to find ${CLAIMED} deliveries of a backlog that the statistics do not know`,
          value: Number(claim),
          limit: { most: MOST_BUFFERS },
        },
      ],
      note: 'The costliest statement of each step. To change a row reads and writes each index, too.',
    };
  } finally {
    await disconnect(db);
    watch.end();
  }
}

async function dueIds(db: Database): Promise<string[]> {
  const due = await db('deliveries')
    .where('due_at', '<=', new Date().toISOString())
    .orderBy('due_at')
    .limit(CLAIMED * STRIDE)
    .pluck('id');
  return due.filter((_, index) => index % STRIDE === 0);
}
