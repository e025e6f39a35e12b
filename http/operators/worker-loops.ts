import { type JobName, jobNames } from '../../jobs/queue/kinds.ts';
import type { Worker, Workers } from '../../jobs/queue/queue.ts';

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
  readonly #lateMs: number;

  constructor(lateMs = LATE_MS) {
    this.#lateMs = lateMs;
  }

  /** @returns the workers, instrumented */
  watch(workers: Record<JobName, Worker>): Workers {
    return Object.fromEntries(jobNames.map((name) => [name, this.#watched(name, workers[name])]));
  }

  /** The kinds of work whose workers get no deliveries; all kinds before the workers start. */
  late(): JobName[] {
    const before = performance.now() - this.#lateMs;
    return jobNames.filter((name) => {
      const loop = this.#loops.get(name);
      return !loop || loop.turnedAt < before || [...loop.taking].some(({ since }) => since < before);
    });
  }

  #watched(name: JobName, worker: Worker): Worker {
    const loop: Loop = { turnedAt: performance.now(), taking: new Set() };
    this.#loops.set(name, loop);
    return {
      room: () => {
        loop.turnedAt = performance.now();
        return worker.room();
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
