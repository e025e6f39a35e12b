import type { Config } from '../../core/settings/config.ts';
import type { OperatorsListener } from '../../http/operators/listener.ts';
import type { WorkerLoops } from '../../http/operators/worker-loops.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { jobNames } from './kinds.ts';

export interface Operators extends OperatorsListener {
  /** Undefined in a process without workers. */
  loops: WorkerLoops | undefined;
  /** Also stores the counts. While the database is open. */
  settle(): Promise<void>;
}

interface Process {
  runsWorkers: boolean;
  stopping: AbortSignal | undefined;
}

/** Opens the listener for operators if configured; otherwise its modules are not even loaded. */
export async function openOperators(
  config: Pick<Config, 'operators' | 'mode' | 'runWorkers' | 'trustedProxies'>,
  runtime: Runtime,
  { runsWorkers, stopping }: Process,
): Promise<Operators | undefined> {
  const { operators } = config;
  if (!operators) return undefined;
  const [{ listenForOperators }, { WorkerLoops }, { DailyCounts }] = await Promise.all([
    import('../../http/operators/listener.ts'),
    import('../../http/operators/worker-loops.ts'),
    import('../../jobs/upkeep/daily-counts.ts'),
  ]);
  const loops = runsWorkers ? new WorkerLoops(jobNames) : undefined;
  const { console: settings } = operators;
  const createConsole = settings && (await import('../../http/console/console.ts')).createConsole;
  const consoleAt = createConsole && ((at: string) => createConsole(runtime, config, settings.url ?? at));
  const listener = await listenForOperators(operators, { ...runtime, loops, stopping }, consoleAt);
  const counts = new DailyCounts(runtime);
  return {
    ...listener,
    loops,
    async settle() {
      await listener.settle();
      await counts.stop();
    },
    requestEnded(operation, status, ms) {
      listener.requestEnded(operation, status, ms);
      counts.requestEnded(status);
    },
  };
}
