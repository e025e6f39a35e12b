import type { Runtime } from '../jobs/runtime.ts';
import { sweep } from '../jobs/sweep.ts';
import { createWorkers } from '../jobs/workers.ts';

const SWEEP_MS = 5_000;

/** Runs the jobs, and now and then looks for work whose job was lost. Returns what stops both. */
export async function startWorkers(runtime: Runtime): Promise<() => Promise<void>> {
  await runtime.queue.start(createWorkers(runtime));
  let pass = Promise.resolve();
  const look = () => {
    pass = pass.then(() => sweep(runtime)).catch((error) => runtime.log.error({ err: error }, 'sweep failed'));
  };
  look();
  const timer = setInterval(look, SWEEP_MS);
  return async () => {
    clearInterval(timer);
    await pass;
    await runtime.queue.stop();
  };
}
