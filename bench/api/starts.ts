import { mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Mark, median, type Result, rounded } from '../result.ts';
import type { Prepared } from './prepared.ts';
import { nest, service, serviceByDefault } from './programs.ts';
import { type Program, Server } from './server.ts';

/** From before the process is spawned to its first answer, in milliseconds; CPU of all its threads until then. */
interface Start {
  startMs: number;
  cpuMs: number;
  rssMib: number;
}

export interface Started {
  server: string;
  /** With an empty compile cache. */
  cold: Start;
  /** With the cache left by a first start that was killed. */
  warm: Start;
}

const MAX_MS = 600;
const FILL_PATIENCE_MS = 10_000;

/** Each program started cold and then warm, in sequence in each round, on an existing database. */
export async function compareStarts(
  prepared: Prepared,
  programs: readonly Program[],
  rounds: number,
): Promise<Started[]> {
  const found = await Promise.all(
    programs.map(async (program) => ({
      program,
      databaseUrl: await prepared.copy(),
      cold: [] as Start[],
      warm: [] as Start[],
    })),
  );
  for (let round = 0; round < rounds; round++)
    for (const { program, databaseUrl, cold, warm } of found) {
      const shared = { databaseUrl, compileCache: await mkdtemp(join(prepared.place.folder, 'compiled-')) };
      cold.push(await start(program, prepared, shared));
      warm.push(await start(program, prepared, shared));
    }
  return found.map(({ program, cold, warm }) => ({
    server: program.name,
    cold: medianStart(cold),
    warm: medianStart(warm),
  }));
}

async function start(
  program: Program,
  prepared: Prepared,
  shared: { databaseUrl: string; compileCache: string },
): Promise<Start> {
  const server = await Server.start(program, prepared, shared);
  try {
    const { cpuMicros, rssMib } = await server.usage();
    if (program.fillsCompileCache) await filled(server, shared.compileCache);
    else await server.fillCompileCache();
    return { startMs: server.startMs, cpuMs: cpuMicros / 1000, rssMib };
  } finally {
    await server.end();
  }
}

/** @throws when the running service leaves the cache empty */
async function filled(server: Server, compileCache: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < FILL_PATIENCE_MS; waitedMs += 100) {
    const entries = await readdir(compileCache, { recursive: true });
    // It answers again only when everything is written.
    if (entries.length > 1) return void (await server.usage());
    await wait(100);
  }
  throw new Error('The service does not fill its compile cache.');
}

function medianStart(starts: readonly Start[]): Start {
  const of = (figure: keyof Start) => median(starts.map((one) => one[figure]));
  return { startMs: of('startMs'), cpuMs: of('cpuMs'), rssMib: of('rssMib') };
}

export function startedResult({ place: { name } }: Prepared, started: readonly Started[]): Result {
  const find = (program: Program) => started.find(({ server }) => server === program.name);
  const [ours, byDefault, theirs] = [find(service), find(serviceByDefault), find(nest)];
  const mark = (promise: string, value: number, most: number): Mark => ({
    database: name,
    promise: `start to first answer, ${promise}`,
    value,
    limit: { most },
    unit: 'ms',
  });
  return {
    title: `${name}: from start to first answer`,
    rows: started.map(({ server, cold, warm }) => ({
      server,
      cold_ms: Math.round(cold.startMs),
      cold_cpu_ms: rounded(cold.cpuMs),
      warm_ms: Math.round(warm.startMs),
      warm_cpu_ms: rounded(warm.cpuMs),
      warm_rss_mib: Math.round(warm.rssMib),
    })),
    marks: [
      ...(byDefault && name === 'sqlite' ? [mark('warm, by default', byDefault.warm.startMs, MAX_MS)] : []),
      ...(ours && theirs ? [mark(`warm, to that of ${nest.name}`, ours.warm.startMs, theirs.warm.startMs)] : []),
    ],
    note: 'Cold: with an empty compile cache. Warm: with the cache of a first start that was killed.',
  };
}
