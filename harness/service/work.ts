import { createWorkers, type Working } from '../../bin/service/work.ts';
import type { JobName } from '../../jobs/queue/kinds.ts';

/** Processes rows as their worker does when the queue brings them, and waits for the end. */
export async function workOn(runtime: Working, name: JobName, ...ids: string[]): Promise<void> {
  const workers = createWorkers(runtime);
  await workers[name].take(ids, () => {});
  for (const worker of Object.values(workers)) await worker.drain();
}
