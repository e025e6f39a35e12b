interface Semaphore {
  /** Runs the work when a permit is free, first come, first served. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  hasWaiters(): boolean;
}

export function createSemaphore(permits: number): Semaphore {
  const waiting: (() => void)[] = [];
  let free = permits;
  return {
    async run(work) {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else free++;
      }
    },
    hasWaiters: () => waiting.length > 0,
  };
}
