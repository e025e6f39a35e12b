import { correlated } from '../../core/correlation.ts';
import { kinds } from './kinds.ts';
import { type Claiming, type Held, Leases } from './leases.ts';
import type { JobName, Worker } from './queue.ts';

export interface ClaimingWorker extends Worker {
  /** Waits for the work that goes on. */
  drain(): Promise<void>;
}

/** Claims rows of one kind, and works on a few of them at once. */
export function createWorker(runtime: Claiming, name: JobName, work: (id: string) => Promise<void>): ClaimingWorker {
  const events = runtime.work;
  const leases = new Leases(runtime, name);
  const running = new Set<Promise<void>>();

  const run = async (held: Held): Promise<void> => {
    const startedAt = performance.now();
    events.emit('started', name, held.id);
    try {
      await work(held.id);
      events.emit('completed', name, held.id, performance.now() - startedAt);
    } catch (error) {
      events.emit('failed', name, held.id, error);
      // Nothing recorded: the lease expires, and the work is done again.
      await leases.fail(held, error).catch((err) => runtime.log.error({ job: name, err }, 'failure not recorded'));
    } finally {
      leases.end(held);
    }
  };
  return {
    room: () => kinds[name].concurrency - running.size,
    async take(ids, hasRoom) {
      for (const held of await leases.claim(ids)) {
        const task = correlated(held.correlationId, () => run(held)).finally(() => {
          running.delete(task);
          hasRoom();
        });
        running.add(task);
      }
    },
    async drain() {
      while (running.size > 0) await Promise.all(running);
      leases.close();
    },
  };
}
