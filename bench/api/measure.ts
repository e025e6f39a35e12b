import type { Remote } from '../remote.ts';
import { median } from '../result.ts';
import type { Load, Volley } from './load.ts';
import type { Server } from './server.ts';

export interface Figures {
  perSecond: number;
  /** CPU of the server's process, in microseconds per request. */
  cpuMicros: number;
  /** In milliseconds. */
  p50: number;
  p99: number;
  slowest: number;
  /** After it. */
  rssMib: number;
}

/** The requests to a server in one round. */
export interface Task {
  server: Server;
  requests: () => Volley['requests'];
}

/** The load: as fast as a number of connections get answers, or a number of requests per second. */
export type Pressure = { connections: number } | { perSecond: number };

/**
 * Measurements of each task, round by round. Every task has its turn in each round, and each round starts with another one, so that
 * other load on the machine affects them all.
 */
export async function inRounds(
  load: Remote<Load>,
  tasks: readonly Task[],
  { rounds, pressure }: { rounds: number; pressure: Pressure },
): Promise<Figures[][]> {
  const measured = tasks.map((): Figures[] => []);
  for (let round = 0; round < rounds; round++)
    for (let turn = 0; turn < tasks.length; turn++) {
      const place = (round + turn) % tasks.length;
      const task = tasks[place];
      if (task) measured[place]?.push(await measure(load, task, pressure));
    }
  return measured;
}

/** One load on one server. */
export async function measure(load: Remote<Load>, { server, requests }: Task, pressure: Pressure): Promise<Figures> {
  const volley = { url: server.url, requests: requests() };
  const before = await server.usage();
  const answered =
    'connections' in pressure
      ? await load.ask('saturate', volley, pressure.connections)
      : await load.ask('pace', volley, pressure.perSecond);
  const after = await server.usage();
  const cpuMicros = (after.cpuMicros - before.cpuMicros) / volley.requests.length;
  return { ...answered, cpuMicros, rssMib: after.rssMib };
}

export function medians(all: readonly Figures[]): Figures {
  const of = (name: keyof Figures) => median(all.map((figures) => figures[name]));
  return {
    perSecond: of('perSecond'),
    cpuMicros: of('cpuMicros'),
    p50: of('p50'),
    p99: of('p99'),
    slowest: of('slowest'),
    rssMib: of('rssMib'),
  };
}

/** The first server's cost of a request as a multiple of the second's: the median over rounds in which both had their turn. */
export function timesCpu(of: readonly Figures[], to: readonly Figures[]): number {
  return median(of.map(({ cpuMicros }, round) => cpuMicros / (to[round]?.cpuMicros ?? Number.NaN)));
}
