import { setTimeout as wait } from 'node:timers/promises';
import { on, ProviderUnavailable } from '../../../core/errors.ts';
import type { Runtime } from '../../../jobs/runtime.ts';
import { watchStore } from '../watched-store.ts';
import type { DemoCredentials } from './demo-credentials.ts';
import { provideDemo } from './demo-data.ts';

/** How long a start waits for the document store, which the demo's documents need and most of the service does not. */
const MAX_WAIT_MS = 5_000;
const AGAIN_MS = 5_000;
const LATER: 'later' = 'later';

interface Demonstrated {
  runtime: Runtime;
  url: string;
  dataDir: string;
  stopping: AbortSignal;
}

/** Provides the demo, now or once the document store answers. @param onDone called then */
export async function demoInTime(
  { runtime, url, dataDir, stopping }: Demonstrated,
  onDone: (demo: DemoCredentials | undefined) => Promise<void>,
): Promise<void> {
  const { documents, silent } = watchStore(runtime.providers.documents, MAX_WAIT_MS);
  const parts = { ...runtime, providers: { ...runtime.providers, documents } };
  const attempt = () => provideDemo(parts, dataDir, url).catch(on(ProviderUnavailable, () => LATER));
  const provide = async () => {
    for (let demo = await attempt(); !stopping.aborted; demo = await attempt()) {
      if (demo !== LATER) return onDone(demo);
      await wait(AGAIN_MS, undefined, { ref: false });
    }
  };
  let isLate = false;
  const provided = provide().catch((err) => {
    if (!isLate) throw err;
    runtime.log.error({ err }, 'demo data not provided');
  });
  await Promise.race([provided, silent.then(() => (isLate = true))]);
  if (isLate) runtime.log.warn('the document store does not answer: the demo data follows once it does');
}
