import type { Permits } from '../analysis.ts';

/** First come, first served. */
export function createSemaphore(permits: number): Permits {
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
