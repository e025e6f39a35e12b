import type { Row } from '../../bin/admin/cli/output.ts';
import type { Remote } from '../remote.ts';
import type { DatabaseName } from '../result.ts';
import { type Mark, type Result, rounded } from '../result.ts';
import type { Load } from './load.ts';
import { type Figures, inRounds, medians, timesCpu } from './measure.ts';
import { type Operation, operationNames, requestsOf } from './operations.ts';
import type { Prepared } from './prepared.ts';
import { nest, raw, rawAtOnce, service } from './programs.ts';
import type { Program, Server } from './server.ts';

export const CONNECTIONS = 16;
/** A rate at which even the slowest answers in time. */
const PER_SECOND = 200;

/** How many requests each server gets. */
export interface Effort {
  /** How often all processes are restarted: identical ones differ by 15 %. */
  generations: number;
  /** Warm-up requests: until everything is compiled and every statement prepared. */
  warmUp: Record<Operation, number>;
  rounds: number;
  /** Requests in each round. */
  count: Record<Operation, number>;
  paced: number;
}

export interface Compared {
  server: string;
  operation: Operation;
  /** With this many connections, each of which always waits for an answer. */
  saturated: Figures;
  /** At this many requests per second. */
  paced: Figures;
  /** CPU per request relative to raw `node:http`: 1 is equal. */
  ratio: number;
}

/** The measurements of an operation, by server. */
export interface Measured {
  saturated: Figures[][];
  paced: Figures[][];
}

/** The servers that are compared in an operation. */
const comparedIn = (operation: Operation, programs: readonly Program[]) =>
  programs.filter(({ operations }) => operations?.includes(operation) ?? true);

/** An operation on every server, side by side. @param measured grows by the rounds of these processes */
export async function measureOperation(
  load: Remote<Load>,
  prepared: Prepared,
  all: readonly Server[],
  operation: Operation,
  effort: Effort,
  measured: Measured,
): Promise<void> {
  const programs = comparedIn(
    operation,
    all.map(({ program }) => program),
  );
  const servers = all.filter(({ program }) => programs.includes(program));
  const tasks = (count: number) =>
    servers.map((server) => ({ server, requests: () => requestsOf(operation, prepared, count) }));
  const pressure = { connections: CONNECTIONS };
  await inRounds(load, tasks(effort.warmUp[operation]), { rounds: 1, pressure });
  add(measured.saturated, await inRounds(load, tasks(effort.count[operation]), { rounds: effort.rounds, pressure }));
  add(measured.paced, await inRounds(load, tasks(effort.paced), { rounds: 1, pressure: { perSecond: PER_SECOND } }));
}

function add(measured: Figures[][], more: readonly Figures[][]): void {
  for (const [place, figures] of more.entries()) measured[place] = [...(measured[place] ?? []), ...figures];
}

export function compared(operation: Operation, all: readonly Program[], { saturated, paced }: Measured): Compared[] {
  const programs = comparedIn(operation, all);
  const limit = saturated[programs.indexOf(raw)] ?? [];
  return programs.map(({ name }, place) => {
    const mine = saturated[place] ?? [];
    return {
      server: name,
      operation,
      saturated: medians(mine),
      paced: medians(paced[place] ?? []),
      ratio: timesCpu(limit, mine),
    };
  });
}

export function comparedResult(database: DatabaseName, operation: Operation, compared: readonly Compared[]): Result {
  return {
    title: `${database}: ${operationNames[operation]}`,
    rows: compared.map(row),
    marks: marksOf(database, operation, compared),
    note: `ratio: CPU a request of raw node:http to its own. p50, p99: ${CONNECTIONS} connections that always wait for an answer.`,
  };
}

function row({ server, saturated, paced, ratio }: Compared): Row {
  return {
    server,
    ratio: ratio.toFixed(2),
    cpu_us_a_request: rounded(saturated.cpuMicros),
    requests_a_second: Math.round(saturated.perSecond),
    p50_ms: rounded(saturated.p50),
    p99_ms: rounded(saturated.p99),
    [`p50_at_${PER_SECOND}/s`]: rounded(paced.p50),
    [`p99_at_${PER_SECOND}/s`]: rounded(paced.p99),
    rss_mib: Math.round(saturated.rssMib),
  };
}

const LEAST: Record<DatabaseName, Record<Operation, number>> = {
  sqlite: { read: 0.75, create: 0.8 },
  postgres: { read: 1, create: 1 },
};
/** The ratio of a read to `rawAtOnce`, which does so little that runs differ by half: docs/performance.md. */
const MIN_RATIO_TO_READ = 0.35;

function marksOf(database: DatabaseName, operation: Operation, compared: readonly Compared[]): Mark[] {
  const of = ({ name }: Program) => compared.find(({ server }) => server === name);
  const [ours, theirs, atOnce] = [of(service), of(nest), of(rawAtOnce)];
  if (!ours) return [];
  const limit: Mark = {
    database,
    promise: `${operation}, ratio to raw node:http`,
    value: ours.ratio,
    limit: { least: LEAST[database][operation] },
  };
  const marks = [limit];
  // On SQLite the promise holds for the same SQL as well; on Postgres for the obvious SQL alone.
  if (atOnce && database === 'sqlite')
    marks.push({
      database,
      promise: `${operation}, ratio to ${rawAtOnce.name}`,
      value: ours.ratio / atOnce.ratio,
      limit: { least: MIN_RATIO_TO_READ },
    });
  if (theirs)
    marks.push(
      { database, promise: `${operation}, ahead of ${nest.name}`, value: ours.ratio, limit: { least: theirs.ratio } },
      {
        database,
        promise: `${operation}, RSS under load, to that of ${nest.name}`,
        value: ours.saturated.rssMib,
        limit: { most: theirs.saturated.rssMib },
        unit: 'MiB',
      },
    );
  return marks;
}
