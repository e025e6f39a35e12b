import type { JobName } from '../../jobs/runtime.ts';
import type { Worker } from '../../queue/queue.ts';

/** The queue asks a worker for capacity at least every second, unless it waits for the database. */
const LATE_MS = 15_000;

interface Loop {
  turnedAt: number;
  /** The start times of hand-overs in progress. */
  taking: Set<{ since: number }>;
}

/** Checks whether the queue still delivers work to each worker of this process. */
export class WorkerLoops {
  readonly #loops = new Map<JobName, Loop>();
  readonly #names: readonly JobName[];
  readonly #lateMs: number;

  constructor(names: readonly JobName[], lateMs = LATE_MS) {
    this.#names = names;
    this.#lateMs = lateMs;
  }

  /** @returns the workers, instrumented */
  watch(workers: ReadonlyMap<JobName, Worker>): ReadonlyMap<JobName, Worker> {
    return new Map([...workers].map(([name, worker]) => [name, this.#watched(name, worker)]));
  }

  /** The kinds of work whose workers get no deliveries; all kinds before the workers start. */
  late(): JobName[] {
    const before = performance.now() - this.#lateMs;
    return this.#names.filter((name) => {
      const loop = this.#loops.get(name);
      return !loop || loop.turnedAt < before || [...loop.taking].some(({ since }) => since < before);
    });
  }

  #watched(name: JobName, worker: Worker): Worker {
    const loop: Loop = { turnedAt: performance.now(), taking: new Set() };
    this.#loops.set(name, loop);
    return {
      capacity: () => {
        loop.turnedAt = performance.now();
        return worker.capacity();
      },
      async take(...given) {
        const turn = { since: performance.now() };
        loop.taking.add(turn);
        try {
          await worker.take(...given);
        } finally {
          loop.taking.delete(turn);
        }
      },
    };
  }
}
