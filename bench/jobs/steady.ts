import type { Row } from '../../bin/admin/cli/output.ts';
import type { Place } from '../databases.ts';
import { type Mark, median, type Result, rounded } from '../result.ts';
import { type Latency, latencyOf } from '../webhooks/latency.ts';
import { inRounds, type Layout, layoutsOf, type Processes } from './processes.ts';

const PER_SECOND = 65;
const ROUND_SECONDS = 4;
const PATIENCE_MS = 30_000;

/** How long a single job waits for its worker. */
export async function measureSteady(place: Place, rounds: number): Promise<Result> {
  const rows: Row[] = [];
  const marks: Mark[] = [];
  for (const layout of layoutsOf(place)) {
    const latencies = await inRounds(place, 'deliver-webhook', layout, rounds, round);
    rows.push({ workers: layout, ...rowOf(latencies) });
    marks.push(...marksOf(place, layout, latencies));
  }
  return {
    title: `From the commit to the start of a job, ${PER_SECOND} a second`,
    rows,
    marks,
    note: `Medians of ${rounds} rounds of ${ROUND_SECONDS} s. A job can start before its sender learns of the commit.`,
  };
}

async function round({ sender, worker }: Processes): Promise<Latency> {
  const count = PER_SECOND * ROUND_SECONDS;
  const sent = await sender.ask('sendSteadily', count, PER_SECOND);
  await worker.ask('whenIdle', count, PATIENCE_MS);
  return latencyOf(sent, await worker.ask('takeStarts'));
}

function rowOf(latencies: Latency[]): Row {
  const medianOf = (figure: keyof Latency) => rounded(median(latencies.map((latency) => latency[figure])));
  return {
    p50_ms: medianOf('p50FromCommit'),
    p99_ms: medianOf('p99FromCommit'),
    p50_from_before: medianOf('p50'),
    p99_from_before: medianOf('p99'),
    longest_from_before: rounded(Math.max(...latencies.map(({ longest }) => longest))),
  };
}

function marksOf({ name: database }: Place, layout: Layout, latencies: Latency[]): Mark[] {
  const mark = (figure: 'p50' | 'p99', limit: number): Mark => ({
    database,
    promise: `commit to start, ${layout}, ${figure}`,
    value: rounded(median(latencies.map((latency) => latency[`${figure}FromCommit`]))),
    limit: { most: limit },
    unit: 'ms',
  });
  return [mark('p50', 5), mark('p99', 15)];
}
