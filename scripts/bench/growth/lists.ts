import { disconnect, open } from '../../../db/connection/connect.ts';
import { operatorCommands, runCommand } from '../../../harness/plans/operator-commands.ts';
import { watchPostgres } from '../../../harness/plans/watch-postgres.ts';
import type { Place } from '../databases.ts';
import { median, type Result } from '../result.ts';
import { type Amounts, addBacklog, monthOf, someone } from './month.ts';

const ROUNDS = 3;
const MOST_MS = 200;
/** Each is shown. */
const COSTLIEST = 12;

/**
 * What each list of the command line takes, from its arguments to its answer, and the buffers of its costliest statement by
 * `explain (analyze, buffers)`; with a backlog that the statistics do not know.
 */
export async function measureLists(place: Place, amounts: Amounts & { backlog: number }): Promise<Result> {
  const { env, config } = await monthOf(place, amounts);
  if (config.database.dialect !== 'postgres') throw new Error('Only Postgres explains with buffers.');
  const db = await open(config.database);
  await db.raw('alter table deliveries set (autovacuum_enabled = off)');
  await addBacklog(db, amounts.backlog);
  await disconnect(db);
  const watch = await watchPostgres(config.database.url);
  Object.assign(process.env, env);
  const found: { command: string; ms: number; buffers: number }[] = [];
  for (const args of operatorCommands(someone(amounts.applications))) {
    const command = args.map((word) => (/^[0-9a-f-]{36}$/.test(word) ? '…' : word)).join(' ');
    const seen = watch.statements().length;
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const startedAt = performance.now();
      await runCommand(args);
      times.push(performance.now() - startedAt);
    }
    const buffers = Math.max(
      ...watch
        .statements()
        .slice(seen)
        .map(({ pages }) => pages),
    );
    found.push({ command, ms: Math.round(median(times)), buffers });
  }
  watch.end();
  const rows = found.toSorted((a, b) => b.ms - a.ms);
  return {
    title: `${place.name}: lists of the command line over ${amounts.deliveries} deliveries: the slowest of ${rows.length}`,
    rows: rows.slice(0, COSTLIEST),
    marks: [
      {
        database: place.name,
        promise: `the slowest list, ${rows[0]?.command}`,
        value: rows[0]?.ms ?? Number.NaN,
        limit: { most: MOST_MS },
        unit: 'ms',
      },
    ],
    note: `The median of ${ROUNDS}, in a process that runs already. Buffers are those of its costliest statement.`,
  };
}
