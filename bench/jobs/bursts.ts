import type { Row } from '../../bin/admin/cli/output.ts';
import type { Place } from '../databases.ts';
import { type Mark, median, type Result, rounded } from '../result.ts';
import type { Receipt } from '../webhooks/endpoint.ts';
import type { Emitted } from '../webhooks/service.ts';
import { inRounds, layoutsOf, type Processes } from './processes.ts';

const SIZE = 20;
const A_ROUND = 10;
/** Not a round number, so that no poll stays in step with it. */
const PAUSE_MS = 137;
const PATIENCE_MS = 60_000;

const MEASURED = ['deliver-webhook', 'send-invite'] as const;

/** How long the last of 20 jobs sent in one transaction waits for its worker. */
export async function measureBursts(place: Place, rounds: number): Promise<Result> {
  const rows: Row[] = [];
  const marks: Mark[] = [];
  for (const layout of layoutsOf(place))
    for (const name of MEASURED) {
      const waits = (await inRounds(place, name, layout, rounds, round)).flat();
      const longest = rounded(Math.max(...waits));
      rows.push({ jobs: name, workers: layout, p50_ms: rounded(median(waits)), longest_ms: longest });
      marks.push({
        database: place.name,
        promise: `the last of ${SIZE} started, ${name}, ${layout}, longest`,
        value: longest,
        limit: { most: 100 },
        unit: 'ms',
      });
    }
  return {
    title: `From the commit to the start of the last of ${SIZE} jobs that were sent in one transaction`,
    rows,
    marks,
    note: `${rounds * A_ROUND} bursts each.`,
  };
}

/** @returns how long each burst took */
async function round({ sender, worker }: Processes): Promise<number[]> {
  const sent = await sender.ask('sendBursts', A_ROUND, SIZE, PAUSE_MS);
  await worker.ask('whenIdle', A_ROUND * SIZE, PATIENCE_MS);
  return waitsOf(sent, await worker.ask('takeStarts'));
}

function waitsOf(bursts: Emitted[][], starts: Receipt[]): number[] {
  const startOf = new Map(starts.map(({ event, at }) => [event, at]));
  return bursts.map((burst) =>
    Math.max(...burst.map(({ event, committed }) => (startOf.get(event) ?? Number.POSITIVE_INFINITY) - committed)),
  );
}
