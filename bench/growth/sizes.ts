import type { Size } from '../api/furnish.ts';
import type { Load } from '../api/load.ts';
import { type Figures, measure } from '../api/measure.ts';
import { service } from '../api/programs.ts';
import { Server } from '../api/server.ts';
import { Backends } from '../backends.ts';
import type { Place } from '../databases.ts';
import type { Remote } from '../remote.ts';
import { type Mark, median, type Result, rounded } from '../result.ts';
import { type Filled, filled } from './filled.ts';
import { type Asked, MOST } from './requests.ts';

const CONNECTIONS = 8;
const PER_SECOND = 100;
const PACED = 100;

/** The cost of a request at one size. */
export interface Cost {
  operation: string;
  size: Size;
  cpuMicros: number;
  /** CPU of the database's own processes; undefined where there are none, or the system does not expose it. */
  databaseMicros: number | undefined;
  /** At a low rate, in milliseconds. */
  p50: number;
}

interface Stand {
  database: Filled;
  server: Server;
  backends: Backends | undefined;
}

/** The same requests to services whose databases differ only in size, in alternating rounds: operation by operation. */
export async function* measureSizes(
  place: Place,
  load: Remote<Load>,
  { sizes, operations, rounds }: { sizes: readonly Size[]; operations: readonly Asked[]; rounds: number },
): AsyncGenerator<Cost[]> {
  const stands: Stand[] = [];
  try {
    for (const size of sizes) stands.push(await standFor(place, size));
    for (const operation of operations) yield await compare(load, stands, operation, rounds);
  } finally {
    for (const { server, backends } of stands) {
      await backends?.end();
      await server.end();
    }
  }
}

async function standFor(place: Place, size: Size): Promise<Stand> {
  const database = await filled(place, size);
  const server = await Server.start(service, database, { databaseUrl: database.url });
  const backends = place.name === 'postgres' ? await Backends.of(database.url) : undefined;
  console.log(`${size.applications} applications of ${size.participants} made in ${database.fillSeconds.toFixed(1)} s`);
  return { database, server, backends };
}

interface Seen extends Figures {
  databaseMicros: number | undefined;
}

async function compare(
  load: Remote<Load>,
  stands: readonly Stand[],
  operation: Asked,
  rounds: number,
): Promise<Cost[]> {
  const seen = stands.map((): { saturated: Seen[]; paced: Seen[] } => ({ saturated: [], paced: [] }));
  // The first round warms up the compiler and prepared statements.
  for (let round = 0; round <= rounds; round++)
    for (let turn = 0; turn < stands.length; turn++) {
      const index = (round + turn) % stands.length;
      const stand = stands[index];
      if (!stand) continue;
      const saturated = await ask(load, stand, operation, operation.count, { connections: CONNECTIONS });
      const paced = await ask(load, stand, operation, PACED, { perSecond: PER_SECOND });
      if (round === 0) continue;
      seen[index]?.saturated.push(saturated);
      seen[index]?.paced.push(paced);
    }
  return stands.map(({ database: { size } }, index) => {
    const { saturated = [], paced = [] } = seen[index] ?? {};
    const told = saturated.map(({ databaseMicros }) => databaseMicros).filter((micros) => micros !== undefined);
    return {
      operation: operation.name,
      size,
      cpuMicros: median(saturated.map(({ cpuMicros }) => cpuMicros)),
      databaseMicros: told.length > 0 ? median(told) : undefined,
      p50: median(paced.map(({ p50 }) => p50)),
    };
  });
}

async function ask(
  load: Remote<Load>,
  { database, server, backends }: Stand,
  operation: Asked,
  count: number,
  pressure: Parameters<typeof measure>[2],
): Promise<Seen> {
  const requests = Array.from({ length: count }, () => operation.request(database));
  const before = await backends?.cpuMicros();
  const figures = await measure(load, { server, requests: () => requests }, pressure);
  const after = await backends?.cpuMicros();
  const databaseMicros = before === undefined || after === undefined ? undefined : (after - before) / count;
  return { ...figures, databaseMicros };
}

/** One row per size with the cost of one operation. */
export function sizesResult(place: Place, costs: readonly Cost[], what: keyof Size): Result {
  const [first] = costs;
  const rows = costs.map(({ size, cpuMicros, databaseMicros, p50 }) => ({
    [what]: size[what],
    cpu_us_a_request: rounded(cpuMicros),
    times: (cpuMicros / (first?.cpuMicros ?? Number.NaN)).toFixed(2),
    ...(databaseMicros === undefined ? {} : { database_cpu_us: rounded(databaseMicros) }),
    [`p50_ms_at_${PER_SECOND}/s`]: rounded(p50),
  }));
  const marks = what === 'applications' ? marksOf(place, costs) : [];
  return { title: `${place.name}: ${first?.operation}`, rows, marks };
}

/** The service's own cost and, where known, the database's: neither may grow. */
function marksOf(place: Place, costs: readonly Cost[]): Mark[] {
  const [first, last] = [costs[0], costs.at(-1)];
  if (!first || !last || first === last) return [];
  const total = ({ cpuMicros, databaseMicros = 0 }: Cost) => cpuMicros + databaseMicros;
  return [
    {
      database: place.name,
      promise: `${first.operation} with ${last.size.applications} applications, to its cost with ${first.size.applications}`,
      value: total(last) / total(first),
      limit: { most: MOST },
      unit: 'x',
    },
  ];
}
