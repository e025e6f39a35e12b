import { retryDelay } from '../../core/rules/retry-delay.ts';
import { isoAfter } from '../../core/time.ts';
import { dueAt, recordFailure } from '../../db/work/work.ts';
import { type JobName, kinds } from './kinds.ts';
import { type Claiming, type Held, Leases } from './leases.ts';
import type { Worker } from './queue.ts';

export interface ClaimingWorker extends Worker {
  /** Waits for the work that goes on. */
  drain(): Promise<void>;
}

type Work = (id: string) => Promise<void>;

/** Claims rows of one kind, works on a few of them at once, and plans the next attempt of those that fail. */
export function createWorker(runtime: Claiming, name: JobName, work: Work): ClaimingWorker {
  const leases = new Leases(runtime, name);
  const run = retrying(runtime, name, leases, work);
  return {
    room: () => kinds[name].concurrency - leases.underWay,
    async take(ids, hasRoom) {
      for (const held of await leases.claim(ids)) run(held).then(hasRoom);
    },
    drain: () => leases.drain(),
  };
}

/** Works on a claimed row, and plans its next attempt when that fails. */
export function retrying(
  runtime: Claiming,
  name: JobName,
  leases: Leases,
  work: Work,
): (held: Held) => Promise<unknown> {
  const { table, retry, isOver, reason = String, forgotten } = kinds[name];

  /** A no-op once the lease is lost: the row belongs to another process then. */
  const fail = async ({ id, failures: former }: Held, error: unknown): Promise<void> => {
    const [moment, failures] = [runtime.now(), former + 1];
    const delayMs = retry && !isOver?.(error) ? retryDelay(retry, { failures }) : undefined;
    const next =
      delayMs === undefined
        ? { ...dueAt(null), status: 'failed' as const, finished_at: moment.toISOString(), ...forgotten }
        : dueAt(isoAfter(moment, delayMs));
    await recordFailure(runtime.db, table, { id, lease: leases.lease }, { failures, failure: reason(error), ...next });
  };
  return (held) =>
    leases.run(
      held,
      () => work(held.id),
      (error) =>
        // Nothing recorded: the lease expires, and the work is done again.
        fail(held, error).catch((err) => runtime.log.error({ job: name, err }, 'failure not recorded')),
    );
}
