interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result | undefined): void;
  reject(error: unknown): void;
}

/**
 * Makes work on one of work on many: what is asked for in the same turn, or while a batch is under way, is the next batch. A
 * batch that fails fails for all that is in it.
 * @param work gives the results in the order of the items; where there is none, the answer is undefined
 */
export function inBatches<Item, Result = never>(
  limit: number,
  work: (items: Item[]) => Promise<readonly (Result | undefined)[]>,
): (item: Item) => Promise<Result | undefined> {
  const waiting: Waiting<Item, Result>[] = [];
  let isRunning = false;

  const runBatch = async (batch: Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await work(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index]);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  const run = async (): Promise<void> => {
    while (waiting.length > 0) await runBatch(waiting.splice(0, limit));
    isRunning = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isRunning) return;
      isRunning = true;
      setImmediate(run);
    });
}
