import type { Working } from '../../bin/service/kinds.ts';
import { createWorkers } from '../../bin/service/work.ts';
import type { JobName } from '../../jobs/runtime.ts';

/** Processes rows as their worker does when the queue brings them, and waits for the end. */
export async function workOn(runtime: Working, name: JobName, ...ids: string[]): Promise<void> {
  const workers = await createWorkers(runtime);
  await workers.get(name)?.take(ids, () => {});
  for (const worker of workers.values()) await worker.drain();
}
