import { open, withDatabase } from '../../db/connection/connect.ts';
import type { Database } from '../../db/connection/database.ts';
import { withoutAutovacuum } from '../../harness/database/bulk-rows.ts';
import type { WatchPostgres } from '../../harness/plans/watch-postgres.ts';
import { stepsOf } from '../../harness/plans/work-backlog.ts';
import type { Result } from '../result.ts';
import type { Stage } from './stage.ts';
import { addWaiting, addWebhook, EVERY_SECOND } from './waiting.ts';
import { watched } from './watched.ts';

const CLAIMED = 200;
const MAX_BUFFERS = 2_000;

/**
 * What a claim, a load and an outcome of 200 deliveries read, out of a backlog that the statistics do not know: by
 * `explain (analyze, buffers)` of the statements that the service sends. No worker may be at work.
 */
export async function measurePlans(stage: Stage, backlog: number): Promise<Result> {
  const { db, history } = stage;
  const vacuumAgain = await withoutAutovacuum(db, 'deliveries');
  const webhookId = await addWebhook(stage);
  await addWaiting(stage, { webhookId, amount: backlog, dueAt: EVERY_SECOND });
  const ids = await dueIds(stage, webhookId, backlog);
  const rows = await watched(history.database.url, (watch) =>
    // A connection explains what was set when it was opened.
    withDatabase(open(history.config.database), (explained) => stepsOn(explained, ids, watch)),
  );
  await db('deliveries').where({ webhook_id: webhookId }).delete();
  await vacuumAgain();
  return {
    title: `postgres: ${CLAIMED} of ${backlog} unanalysed deliveries, half of which are due, among ${history.amounts.deliveries}`,
    rows,
    marks: [
      {
        database: 'postgres',
        promise: `buffers to find ${CLAIMED} deliveries of a backlog that the statistics do not know`,
        value: rows.find(({ step }) => step === 'claim')?.buffers_to_find ?? Number.NaN,
        limit: { most: MAX_BUFFERS },
      },
    ],
    note: 'The costliest statement of each step. To change a row reads and writes each index, too.',
  };
}

async function stepsOn(db: Database, ids: string[], watch: WatchPostgres) {
  const found: { step: string; ms: number; buffers_to_find: number; buffers_in_all: number }[] = [];
  for (const [step, work] of stepsOf(db, 'deliveries')) {
    const before = watch.statements().length;
    const startedAt = performance.now();
    await watch.during(step, () => work(ids));
    const ms = Math.round(performance.now() - startedAt);
    const statements = watch.statements().slice(before);
    if (statements.length === 0) throw new Error(`Nothing explained the step "${step}".`);
    const most = (of: 'found' | 'pages') => Math.max(...statements.map((statement) => statement[of]));
    found.push({ step, ms, buffers_to_find: most('found'), buffers_in_all: most('pages') });
  }
  return found;
}

/** Spread over the backlog. */
async function dueIds({ db }: Stage, webhook_id: string, backlog: number): Promise<string[]> {
  const due = await db('deliveries').where({ webhook_id }).where('due_at', '<=', new Date().toISOString()).pluck('id');
  const stride = Math.floor(backlog / 2 / CLAIMED);
  return due.filter((_, index) => index % stride === 0).slice(0, CLAIMED);
}
