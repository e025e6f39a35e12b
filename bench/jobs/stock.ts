import type { Place } from '../databases.ts';
import { type Result, rounded } from '../result.ts';
import { withProcesses } from './processes.ts';

const PATIENCE_MS = 60_000;

/** pg-boss with its defaults, for comparison: it polls every two seconds and takes one job. */
export function measureStock(place: Place, count: number): Promise<Result> {
  return withProcesses(place, 'pg-boss by default', 'one process', async ({ sender }) => {
    const sent = await sender.ask('sendAtOnce', count);
    const endedAt = await sender.ask('whenIdle', count, PATIENCE_MS);
    const seconds = (endedAt - (sent[0]?.committed ?? 0)) / 1000;
    return {
      title: `${count} jobs that do nothing, pg-boss by default`,
      rows: [{ what: 'pg-boss by default', jobs_a_second: rounded(count / seconds) }],
      marks: [],
    };
  });
}
