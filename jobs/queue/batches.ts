interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result | undefined): void;
  reject(error: unknown): void;
}

/**
 * Batches calls: items of the same turn, or that arrive while a batch runs, form the next batch. A failure rejects the whole
 * batch.
 * @param work returns the results in the order of the items, undefined for an item without one
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
