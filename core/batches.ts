import { uncorrelated } from './correlation.ts';

const MAX_BATCH_SIZE = 200;

interface Waiting<Item, Result> extends PromiseWithResolvers<Result | undefined> {
  item: Item;
}

/**
 * Batches calls: the items of one turn of the event loop form a batch. By default, one batch runs at a time, and items that arrive meanwhile
 * form the next. A failure rejects the whole batch.
 * @param work returns the results in the order of the items, undefined for an item without one; or nothing for all
 * @param options.mayOverlap starts the batches of each turn without waiting for the previous ones
 */
export function inBatches<Item, Result = never>(
  work: (items: Item[]) => Promise<readonly (Result | undefined)[]> | Promise<void>,
  limit = MAX_BATCH_SIZE,
  { mayOverlap = false } = {},
): (item: Item) => Promise<Result | undefined> {
  const waiting: Waiting<Item, Result>[] = [];
  let isRunning = false;

  const runBatch = async (batch: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await work(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results ? results[index] : undefined);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      const ended = runBatch(waiting.splice(0, limit));
      if (!mayOverlap) await ended;
    }
    isRunning = false;
  };

  return (item) => {
    const added = { item, ...Promise.withResolvers<Result | undefined>() };
    waiting.push(added);
    // A batch belongs to none of the callers whose items it has.
    if (!isRunning) uncorrelated(() => setImmediate(run));
    isRunning = true;
    return added.promise;
  };
}
