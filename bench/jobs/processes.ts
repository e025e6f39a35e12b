import type { Place } from '../databases.ts';
import { Remote } from '../remote.ts';
import type { ContenderName } from './contenders.ts';
import type { QueueProcess } from './process.ts';

/** Whether the workers are in the sending process, in a separate one, or absent. */
export type Layout = 'one process' | 'two processes' | 'no one works';

export interface Processes {
  sender: Remote<QueueProcess>;
  worker: Remote<QueueProcess>;
  databaseUrl: string;
}

/** On SQLite one process does everything. */
export function layoutsOf({ name: database }: Place): Layout[] {
  return database === 'sqlite' ? ['one process'] : ['one process', 'two processes'];
}

/** The queues that ours is compared to, fastest first. */
export function rivalsOf({ name: database }: Place): ContenderName[] {
  return database === 'sqlite'
    ? ['a plain loop over a table']
    : ['graphile-worker at its best', 'graphile-worker by default'];
}

export function isOurs(name: ContenderName): boolean {
  return name.startsWith('this service');
}

/** Measures a queue on its own database and ends its processes. */
export async function withProcesses<Measured>(
  place: Place,
  name: ContenderName,
  layout: Layout,
  measure: (processes: Processes) => Promise<Measured>,
): Promise<Measured> {
  const databaseUrl = await place.make();
  const started: Remote<QueueProcess>[] = [];
  const open = async () => {
    const remote = new Remote<QueueProcess>(import.meta.resolve('./process.ts'));
    started.push(remote);
    await remote.ask('open', name, databaseUrl);
    return remote;
  };
  try {
    const sender = await open();
    const worker = layout === 'two processes' ? await open() : sender;
    if (layout !== 'no one works') await worker.ask('work');
    return await measure({ sender, worker, databaseUrl });
  } finally {
    for (const remote of started) await remote.end();
  }
}

/**
 * Measures queues that are all open at once, in turns over several rounds, so that other load affects them alike. The first round
 * is a warm-up and does not count.
 */
export async function inTurns<Measured>(
  place: Place,
  names: ContenderName[],
  layout: Layout,
  rounds: number,
  measure: (processes: Processes) => Promise<Measured>,
): Promise<Map<ContenderName, Measured[]>> {
  const opened = new Map<ContenderName, Processes>();
  const measured = new Map<ContenderName, Measured[]>(names.map((name) => [name, []]));
  const openAll = async ([name, ...others]: ContenderName[]): Promise<void> => {
    if (name)
      return withProcesses(place, name, layout, (processes) => {
        opened.set(name, processes);
        return openAll(others);
      });
    for (let round = 0; round <= rounds; round++)
      for (const [of, processes] of opened) {
        const result = await measure(processes);
        if (round > 0) measured.get(of)?.push(result);
      }
  };
  await openAll(names);
  return measured;
}
