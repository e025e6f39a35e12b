export interface Slots {
  /** Does it once there is a slot for it, in the order in which work came. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  isAnyWaiting(): boolean;
}

/** Lets so many pieces of work run side by side. */
export function createSlots(count: number): Slots {
  const waiting: (() => void)[] = [];
  let free = count;
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
    isAnyWaiting: () => waiting.length > 0,
  };
}
