const MAX_BATCH_SIZE = 200;

interface Waiting<Item, Result> extends PromiseWithResolvers<Result | undefined> {
  item: Item;
}

/**
 * Batches calls: items of the same turn, or that arrive while a batch runs, form the next batch. A failure rejects the whole
 * batch.
 * @param work returns the results in the order of the items, undefined for an item without one; or nothing for all
 */
export function inBatches<Item, Result = never>(
  work: (items: Item[]) => Promise<readonly (Result | undefined)[]> | Promise<void>,
  limit = MAX_BATCH_SIZE,
): (item: Item) => Promise<Result | undefined> {
  const waiting: Waiting<Item, Result>[] = [];
  let isRunning = false;

  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, limit);
      try {
        const results = await work(batch.map(({ item }) => item));
        for (const [index, { resolve }] of batch.entries()) resolve(results ? results[index] : undefined);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isRunning = false;
  };

  return (item) => {
    const added = { item, ...Promise.withResolvers<Result | undefined>() };
    waiting.push(added);
    if (!isRunning) setImmediate(run);
    isRunning = true;
    return added.promise;
  };
}
