import type { JobName } from '../../jobs/runtime.ts';
import type { Place } from '../databases.ts';
import { Remote } from '../remote.ts';
import type { QueueProcess } from './process.ts';

/** Whether the workers are in the sending process or in a separate one. */
export type Layout = 'one process' | 'two processes';

export interface Processes {
  sender: Remote<QueueProcess>;
  worker: Remote<QueueProcess>;
  databaseUrl: string;
}

/** On SQLite one process does everything. */
export function layoutsOf({ name: database }: Place): Layout[] {
  return database === 'sqlite' ? ['one process'] : ['one process', 'two processes'];
}

/** Measures the queue of one kind of job on its own database and ends its processes. */
export async function withProcesses<Measured>(
  place: Place,
  name: JobName,
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
    await worker.ask('work');
    return await measure({ sender, worker, databaseUrl });
  } finally {
    for (const remote of started) await remote.end();
  }
}

/** Measures a queue in several rounds. The first round is a warm-up and does not count. */
export function inRounds<Measured>(
  place: Place,
  name: JobName,
  layout: Layout,
  rounds: number,
  measure: (processes: Processes) => Promise<Measured>,
): Promise<Measured[]> {
  return withProcesses(place, name, layout, async (processes) => {
    await measure(processes);
    const measured: Measured[] = [];
    for (let round = 0; round < rounds; round++) measured.push(await measure(processes));
    return measured;
  });
}
