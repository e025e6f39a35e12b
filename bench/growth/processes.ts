import type { Load } from '../api/load.ts';
import { type Figures, measure } from '../api/measure.ts';
import { service } from '../api/programs.ts';
import { Server } from '../api/server.ts';
import { Backends } from '../backends.ts';
import type { Place } from '../databases.ts';
import { Remote } from '../remote.ts';
import { median, type Result, rounded } from '../result.ts';
import { filled } from './filled.ts';
import { type Asked, asked } from './requests.ts';

const SIZE = { applications: 10_000, participants: 3 };
const CONNECTIONS = 8;
const MAX_PROCESSES = 4;
/** Where processes, database and load share two processors, additional processes gain nothing, but should not lose much either. */
const LEAST = 0.75;

interface Seen {
  perSecond: number;
  cpuMicros: number;
  databaseMicros: number | undefined;
  p99: number;
}

/** Reads and creations by one API process to four, all on one Postgres. Each has its own load. */
export async function measureProcesses(place: Place, rounds: number): Promise<Result[]> {
  const database = await filled(place, SIZE);
  const backends = await Backends.of(database.url);
  const loads: Remote<Load>[] = [];
  const servers: Server[] = [];
  try {
    for (let number = 0; number < MAX_PROCESSES; number++) {
      servers.push(await Server.start(service, database, { databaseUrl: database.url }));
      loads.push(new Remote<Load>(import.meta.resolve('../api/load.ts')));
    }
    const together = async (operation: Asked, processes: number): Promise<Seen> => {
      const before = await backends.cpuMicros();
      const figures = await Promise.all(
        servers.slice(0, processes).map((server, index) => {
          const load = loads[index];
          if (!load) throw new Error('A server has no load.');
          const requests = Array.from({ length: operation.count }, () => operation.request(database));
          return measure(load, { server, requests: () => requests }, { connections: CONNECTIONS });
        }),
      );
      const after = await backends.cpuMicros();
      const databaseMicros =
        before === undefined || after === undefined ? undefined : (after - before) / (operation.count * processes);
      return { ...sumOf(figures), databaseMicros };
    };
    const results: Result[] = [];
    for (const operation of asked.slice(0, 2)) {
      const seen = Array.from({ length: MAX_PROCESSES }, (): Seen[] => []);
      for (let round = 0; round <= rounds; round++)
        for (let processes = MAX_PROCESSES; processes >= 1; processes--) {
          const found = await together(operation, processes);
          // The first round, with all of them, is a warm-up.
          if (round > 0) seen[processes - 1]?.push(found);
        }
      results.push(resultOf(place, operation, seen));
    }
    return results;
  } finally {
    await backends.end();
    for (const { end } of [...loads, ...servers].map((one) => ({ end: () => one.end() }))) await end();
  }
}

function sumOf(figures: readonly Figures[]): Omit<Seen, 'databaseMicros'> {
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  return {
    perSecond: sum(figures.map(({ perSecond }) => perSecond)),
    cpuMicros: sum(figures.map(({ cpuMicros }) => cpuMicros)) / figures.length,
    p99: Math.max(...figures.map(({ p99 }) => p99)),
  };
}

function resultOf(place: Place, { name }: Asked, seen: readonly Seen[][]): Result {
  const rows = seen.map((all, index) => {
    const told = all.map(({ databaseMicros }) => databaseMicros).filter((micros) => micros !== undefined);
    return {
      processes: index + 1,
      requests_a_second: Math.round(median(all.map(({ perSecond }) => perSecond))),
      cpu_us_a_request: rounded(median(all.map(({ cpuMicros }) => cpuMicros))),
      database_cpu_us: told.length > 0 ? rounded(median(told)) : '-',
      p99_ms: rounded(median(all.map(({ p99 }) => p99))),
    };
  });
  const [first, last] = [rows[0]?.requests_a_second, rows.at(-1)?.requests_a_second];
  return {
    title: `${place.name}: ${name} by one process and more, ${CONNECTIONS} connections each`,
    rows,
    marks: [
      {
        database: place.name,
        promise: `${name}, requests a second of ${MAX_PROCESSES} processes to those of one`,
        value: (last ?? Number.NaN) / (first ?? Number.NaN),
        limit: { least: LEAST },
        unit: 'x',
      },
    ],
  };
}
