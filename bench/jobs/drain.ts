import type { Place } from '../databases.ts';
import { median, type Result, rounded } from '../result.ts';
import { withProcesses } from './processes.ts';
import { keepAutovacuum, makeStatistics } from './statistics.ts';

const WARM_UP = { rounds: 3, jobs: 1_000 };
const SLOW_SECONDS = 3;
const PATIENCE_MS = 120_000;
/** Jobs a second, with the planner's statistics of an empty table. */
const LEAST = 3_000;

/** The planner's statistics: as maintained automatically, or of an empty table, as after a quiet time. */
type Statistics = 'as they come' | 'stale';

interface Drained {
  seconds: number;
  cpuSeconds: number;
  rssMib: number;
}

/** How fast a backlog of no-op jobs is drained. */
export async function measureDrain(place: Place, count: number, rounds: number): Promise<Result> {
  const beliefs: Statistics[] = place.name === 'sqlite' ? ['as they come'] : ['as they come', 'stale'];
  const measured = beliefs.map((statistics) => ({ statistics, drained: [] as Drained[] }));
  for (let round = 0; round < rounds; round++)
    for (const { statistics, drained } of measured)
      if (!isSlow(drained)) drained.push(await drain(place, statistics, count));
  const results = measured.map(({ drained, ...what }) => ({
    ...what,
    perSecond: count / median(drained.map(({ seconds }) => seconds)),
    cpuSeconds: median(drained.map(({ cpuSeconds }) => cpuSeconds)),
    rssMib: median(drained.map(({ rssMib }) => rssMib)),
  }));
  const slowest = Math.min(...results.map(({ perSecond }) => perSecond));
  return {
    title: `${count} jobs that do nothing, sent at once`,
    rows: results.map(({ statistics, perSecond, cpuSeconds, rssMib }) => ({
      statistics,
      jobs_a_second: Math.round(perSecond),
      cpu_ms_per_1000: rounded((cpuSeconds / count) * 1e6),
      rss_mib: Math.round(rssMib),
    })),
    marks:
      place.name === 'sqlite'
        ? []
        : [
            {
              database: place.name,
              promise: `jobs a second of ${count} that do nothing, at its slowest`,
              value: Math.round(slowest),
              limit: { least: LEAST },
            },
          ],
    note: `Medians of ${rounds} rounds, one where it takes longer than ${SLOW_SECONDS} s, from the commit until the last is recorded as done. CPU is that of the working process alone.`,
  };
}

/** Longer runs need no second round to show a difference. */
function isSlow(drained: Drained[]): boolean {
  return drained.some(({ seconds }) => seconds > SLOW_SECONDS);
}

function drain(place: Place, statistics: Statistics, count: number): Promise<Drained> {
  const layout = place.name === 'sqlite' ? 'one process' : 'two processes';
  return withProcesses(place, 'deliver-webhook', layout, async ({ sender, worker, databaseUrl }) => {
    const work = async (jobs: number) => {
      const [sent] = await sender.ask('sendAtOnce', jobs);
      const endedAt = await worker.ask('whenIdle', jobs, PATIENCE_MS);
      await worker.ask('takeStarts');
      return (endedAt - (sent?.committed ?? 0)) / 1000;
    };
    if (statistics === 'stale') await keepAutovacuum(databaseUrl, 'off');
    try {
      for (let round = 0; round < WARM_UP.rounds; round++) await work(WARM_UP.jobs);
      if (statistics === 'stale') await makeStatistics(databaseUrl);
      const before = await worker.ask('usage');
      const seconds = await work(count);
      const after = await worker.ask('usage');
      return { seconds, cpuSeconds: after.cpuSeconds - before.cpuSeconds, rssMib: after.rssMib };
    } finally {
      if (statistics === 'stale') await keepAutovacuum(databaseUrl, 'on');
    }
  });
}
