import type { Config } from '../../core/settings/config.ts';
import type { OperatorsListener } from '../../http/operators/listener.ts';
import type { WorkerLoops } from '../../http/operators/worker-loops.ts';
import type { Runtime } from '../../jobs/runtime.ts';

export interface Operators extends OperatorsListener {
  /** Undefined in a process without workers. */
  loops: WorkerLoops | undefined;
}

interface Process {
  runsWorkers: boolean;
  stopping: AbortSignal | undefined;
}

/** Opens the listener for operators if it is wanted. Otherwise none of it is even loaded. */
export async function openOperators(
  { operators }: Pick<Config, 'operators'>,
  runtime: Pick<Runtime, 'db' | 'now' | 'work' | 'log'>,
  { runsWorkers, stopping }: Process,
): Promise<Operators | undefined> {
  if (!operators) return undefined;
  const [{ listenForOperators }, { WorkerLoops }] = await Promise.all([
    import('../../http/operators/listener.ts'),
    import('../../http/operators/worker-loops.ts'),
  ]);
  const loops = runsWorkers ? new WorkerLoops() : undefined;
  return { ...(await listenForOperators(operators, { ...runtime, loops, stopping })), loops };
}
