import { forgetOldEvents } from '../jobs/forget-events.ts';
import type { Runtime } from '../jobs/runtime.ts';
import { sweep } from '../jobs/sweep.ts';
import { createWorkers } from '../jobs/workers.ts';

const SWEEP_MS = 5_000;
const FORGET_MS = 3_600_000;
/** Analyses that are not done by then are ended; another process takes them up. */
const ANALYSES_DRAIN_MS = 10_000;

/**
 * Runs the jobs, now and then looks for work whose job was lost, and forgets what was kept for long enough. Returns what stops
 * all of it.
 */
export async function startWorkers(runtime: Runtime): Promise<() => Promise<void>> {
  const { workers, drain } = createWorkers(runtime);
  await runtime.queue.start(workers);
  const stops = [
    repeat(SWEEP_MS, () => sweep(runtime), runtime, 'sweep failed'),
    repeat(FORGET_MS, () => forgetOldEvents(runtime), runtime, 'old events not forgotten'),
  ];
  return async () => {
    const patience = setTimeout(() => runtime.forensics.close(), ANALYSES_DRAIN_MS);
    await Promise.all(stops.map((stop) => stop()));
    await runtime.queue.stop();
    clearTimeout(patience);
    await drain();
  };
}

/** Does it now and at each interval, one time after the other. Returns what ends it. */
function repeat(intervalMs: number, work: () => Promise<void>, { log }: Runtime, failure: string): () => Promise<void> {
  let turn = Promise.resolve();
  const next = () => {
    turn = turn.then(work).catch((error) => log.error({ err: error }, failure));
  };
  next();
  const timer = setInterval(next, intervalMs);
  return async () => {
    clearInterval(timer);
    await turn;
  };
}
