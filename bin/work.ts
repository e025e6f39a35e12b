import type { Runtime } from '../jobs/runtime.ts';
import { sweep } from '../jobs/sweep.ts';
import { tidyDocuments } from '../jobs/tidy-documents.ts';
import { createWorkers } from '../jobs/workers.ts';

const SWEEP_MS = 5_000;
const FIRST_TIDY_MS = 60_000;
const TIDY_MS = 86_400_000;

/** Runs the jobs, and now and then looks for work whose job was lost and for bytes that nobody needs. Returns what stops it. */
export async function startWorkers(runtime: Runtime): Promise<() => Promise<void>> {
  await runtime.queue.start(createWorkers(runtime));
  let pass = Promise.resolve();
  const look = () => {
    pass = pass.then(() => sweep(runtime)).catch((error) => runtime.log.error({ err: error }, 'sweep failed'));
  };
  look();
  const timer = setInterval(look, SWEEP_MS);
  const stopTidying = startTidying(runtime);
  return async () => {
    clearInterval(timer);
    await Promise.all([pass, stopTidying()]);
    await runtime.queue.stop();
  };
}

/** Once a day, and shortly after the start, when nobody waits for it. */
function startTidying(runtime: Runtime): () => Promise<void> {
  const stopping = new AbortController();
  const tidy = async () => {
    try {
      const { removed, bytes } = await tidyDocuments(runtime, stopping.signal);
      if (removed > 0) runtime.log.info({ documents: removed, bytes }, 'stored documents without a row were removed');
    } catch (error) {
      runtime.log.error({ err: error }, 'tidying documents failed');
    }
  };
  let pass = Promise.resolve();
  let timer = setTimeout(function next() {
    pass = tidy();
    timer = setTimeout(next, TIDY_MS);
  }, FIRST_TIDY_MS);
  return () => {
    clearTimeout(timer);
    stopping.abort();
    return pass;
  };
}
