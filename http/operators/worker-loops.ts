import { type JobName, jobNames } from '../../jobs/queue/kinds.ts';
import type { Worker, Workers } from '../../jobs/queue/queue.ts';

/** The queue asks a worker for room every second at least, unless it waits for the database. */
const LATE_MS = 15_000;

interface Loop {
  turnedAt: number;
  /** When each hand-over began that is under way. */
  taking: Set<{ since: number }>;
}

/** Watches whether the queue still brings work to each worker of this process. */
export class WorkerLoops {
  readonly #loops = new Map<JobName, Loop>();
  readonly #lateMs: number;

  constructor(lateMs = LATE_MS) {
    this.#lateMs = lateMs;
  }

  /** @returns workers that are watched */
  watch(workers: Record<JobName, Worker>): Workers {
    return Object.fromEntries(jobNames.map((name) => [name, this.#watched(name, workers[name])]));
  }

  /** The kinds of work that nothing is brought to, or all before they start. */
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
