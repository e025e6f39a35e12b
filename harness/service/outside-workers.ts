import { suiteFixture } from '../mocha/fixtures.ts';
import { startWorkerProcess, type WorkerProcess } from '../process/process.ts';
import { Admin } from './admin.ts';
import { addHook } from './deliveries.ts';
import { useService } from './service.ts';

/** A service without workers, with a webhook, for worker processes that the tests start and that end with the suite. */
export function useOutsideWorkers(secret: string) {
  const workers: WorkerProcess[] = [];
  // Before their service stops.
  after(async () => {
    for (const worker of workers) await worker.kill();
  });
  const test = useService({ RUN_WORKERS: 'false' });
  const hook = suiteFixture(() => addHook(test.alice, secret));
  return {
    test,
    hook,
    /** @param program with its arguments; the real worker by default */
    async startWorker(env: Record<string, string> = {}, program?: string, args?: string[]): Promise<WorkerProcess> {
      const worker = await startWorkerProcess({ ...new Admin(test).env, ...env }, program, args);
      workers.push(worker);
      return worker;
    },
  };
}
