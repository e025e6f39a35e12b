import type { Config } from '../../core/settings/config.ts';
import type { OperatorsListener } from '../../http/operators/listener.ts';
import type { WorkerLoops } from '../../http/operators/worker-loops.ts';
import type { Heartbeat } from '../../jobs/conditions/heartbeat.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { jobNames } from './kinds.ts';
import { listeningUrl } from './own-address.ts';

export interface Operators extends OperatorsListener {
  /** Undefined in a process without workers. */
  loops: WorkerLoops | undefined;
  /** Also stores the counts. While the database is open. */
  settle(): Promise<void>;
}

interface Process {
  runsWorkers: boolean;
  stopping: AbortSignal | undefined;
  heartbeat: Heartbeat;
}

/** Opens the listener for operators if configured; otherwise its modules are not even loaded. */
export async function openOperators(
  config: Config,
  runtime: Runtime,
  { runsWorkers, stopping, heartbeat }: Process,
): Promise<Operators | undefined> {
  const { operators } = config;
  if (!operators) return undefined;
  const [{ listenForOperators }, { WorkerLoops }, { DailyCounts }, { watchOwn }] = await Promise.all([
    import('../../http/operators/listener.ts'),
    import('../../http/operators/worker-loops.ts'),
    import('../../jobs/upkeep/daily-counts.ts'),
    import('./own-conditions.ts'),
  ]);
  const loops = runsWorkers ? new WorkerLoops(jobNames) : undefined;
  const { console: settings } = operators;
  const createConsole = settings && (await import('../../http/backoffice/console.ts')).createConsole;
  const conditions = watchOwn(config, runtime, { loops, stopping });
  const consoleAt =
    createConsole && ((at: string) => createConsole({ ...runtime, conditions }, config, settings.url ?? at));
  const listener = await listenForOperators(operators, { ...runtime, loops, stopping, conditions }, consoleAt);
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
      heartbeat.requestEnded(status);
    },
  };
}

/** Where commands on this machine reach the listener. */
export function operatorsAddress(
  { operators: settings }: Pick<Config, 'operators'>,
  operators: Pick<OperatorsListener, 'url'> | undefined,
): string | undefined {
  return settings && operators && listeningUrl(settings.host, Number(new URL(operators.url).port));
}
