import type { Remote } from '../remote.ts';
import { type Mark, type Result, rounded } from '../result.ts';
import { CONNECTIONS } from './compare.ts';
import type { Load } from './load.ts';
import { type Figures, inRounds, medians, timesCpu } from './measure.ts';
import { reads } from './operations.ts';
import type { Prepared } from './prepared.ts';
import { type Program, Server } from './server.ts';
import type { Variant } from './varied-contract.ts';

/** How often the processes restart, because identical processes differ, and how many requests each gets. */
export interface PairEffort {
  generations: number;
  rounds: number;
  warmUp: number;
  count: number;
}

const withContract = (variant: Variant): Program => ({
  name: `get-application ${variant}`,
  file: 'bench/api/varied-service.ts',
  env: { BENCH_CONTRACT: variant },
});
const asItIs = { ...withContract('as it is'), name: 'as it is' };
const first = { ...withContract('first'), name: 'get-application as the first operation' };
const last = { ...withContract('last'), name: 'get-application as the last operation' };
const more = { ...withContract('100 more'), name: '100 more operations before it' };
const silent: Program = { ...asItIs, name: 'nothing logged', env: { ...asItIs.env, LOG_LEVEL: 'silent' } };
const watched: Program = { ...asItIs, name: 'probes and metrics served', env: { ...asItIs.env, OPS_PORT: '0' } };
const all = [asItIs, first, last, more, silent, watched];

/** The cost of the same read when one thing about the service differs. */
export async function comparePairs(load: Remote<Load>, prepared: Prepared, effort: PairEffort): Promise<Result> {
  const measured = all.map((): Figures[] => []);
  for (let generation = 0; generation < effort.generations; generation++)
    for (const [place, figures] of (await measureGeneration(load, prepared, effort)).entries())
      measured[place]?.push(...figures);
  const of = (program: Program) => measured[all.indexOf(program)] ?? [];
  const ratio = (one: Program, to: Program) => timesCpu(of(one), of(to));
  const mark = (promise: string, value: number, limit: Mark['limit']): Mark => ({
    database: prepared.place.name,
    promise,
    value,
    limit,
  });
  return {
    title: `${prepared.place.name}: this service, get-application, with one thing different`,
    rows: all.map((program) => ({
      what: program.name,
      cpu_us_a_request: rounded(medians(of(program)).cpuMicros),
      times_as_it_is: ratio(program, asItIs).toFixed(2),
    })),
    marks: [
      mark('read, the last operation of the contract to the first', ratio(last, first), { most: 1.05 }),
      mark('read, with 100 more operations to without', ratio(more, asItIs), { most: 1.05 }),
      mark('read, nothing logged to logged', ratio(silent, asItIs), { least: 0.85 }),
      mark('read, with probes and metrics to without', ratio(watched, asItIs), { most: 1.03 }),
    ],
  };
}

async function measureGeneration(load: Remote<Load>, prepared: Prepared, effort: PairEffort): Promise<Figures[][]> {
  const servers: Server[] = [];
  try {
    for (const program of all) servers.push(await Server.start(program, prepared));
    const tasks = (count: number) => servers.map((server) => ({ server, requests: () => reads(prepared, count) }));
    const pressure = { connections: CONNECTIONS };
    await inRounds(load, tasks(effort.warmUp), { rounds: 1, pressure });
    return await inRounds(load, tasks(effort.count), { rounds: effort.rounds, pressure });
  } finally {
    await Promise.all(servers.map((server) => server.end()));
  }
}
