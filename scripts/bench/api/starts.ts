import { median } from './measure.ts';
import type { Prepared } from './prepared.ts';
import { serviceByDefault } from './programs.ts';
import { type Result, rounded } from './result.ts';
import { type Program, Server } from './server.ts';

export interface Started {
  server: string;
  /** From before the process is started to its first answer. */
  startMs: number;
  /** Of the process until then. */
  cpuMs: number;
  rssMib: number;
}

const MOST_MS = 600;

/** Each program started one after the other, several times, on a database that is there. What the first start keeps, the next have. */
export async function compareStarts(
  prepared: Prepared,
  programs: readonly Program[],
  starts: number,
): Promise<Started[]> {
  const found = await Promise.all(
    programs.map(async (program) => ({ program, databaseUrl: await prepared.copy(), seen: [] as Started[] })),
  );
  for (let round = 0; round <= starts; round++)
    for (const { program, databaseUrl, seen } of found) {
      const server = await Server.start(program, prepared, databaseUrl);
      const { cpuMicros, rssMib } = await server.usage();
      await server.end();
      if (round > 0) seen.push({ server: program.name, startMs: server.startMs, cpuMs: cpuMicros / 1000, rssMib });
    }
  return found.map(({ program, seen }) => ({
    server: program.name,
    startMs: median(seen.map(({ startMs }) => startMs)),
    cpuMs: median(seen.map(({ cpuMs }) => cpuMs)),
    rssMib: median(seen.map(({ rssMib }) => rssMib)),
  }));
}

export function startedResult({ place }: Prepared, started: readonly Started[]): Result {
  const ours = started.find(({ server }) => server === serviceByDefault.name);
  const isPromised = place.name === 'sqlite' && ours !== undefined;
  return {
    title: `${place.name}: from start to first answer`,
    rows: started.map(({ server, startMs, cpuMs, rssMib }) => ({
      server,
      start_ms: Math.round(startMs),
      cpu_ms: rounded(cpuMs),
      rss_mib: Math.round(rssMib),
    })),
    marks: isPromised
      ? [
          {
            database: place.name,
            promise: 'start to first answer',
            value: ours.startMs,
            limit: { most: MOST_MS },
            unit: 'ms',
          },
        ]
      : [],
  };
}
