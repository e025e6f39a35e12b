import { uncorrelated } from './correlation.ts';

const MAX_BATCH_SIZE = 200;

interface Waiting<Item, Result> extends PromiseWithResolvers<Result | undefined> {
  item: Item;
}

/**
 * Batches calls: the items of one turn of the event loop form a batch. At most `atOnce` batches run at a time, and items that arrive meanwhile
 * form the next. A failure rejects the whole batch.
 * @param work returns the results in the order of the items, undefined for an item without one; or nothing for all
 */
export function inBatches<Item, Result = never>(
  work: (items: Item[]) => Promise<readonly (Result | undefined)[]> | Promise<void>,
  { size = MAX_BATCH_SIZE, atOnce = 1 } = {},
): (item: Item) => Promise<Result | undefined> {
  const waiting: Waiting<Item, Result>[] = [];
  let [running, isPlanned] = [0, false];

  const runBatch = async (batch: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await work(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results ? results[index] : undefined);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  const next = (): void => {
    isPlanned = false;
    while (waiting.length > 0 && running < atOnce) {
      running++;
      void runBatch(waiting.splice(0, size)).then(() => {
        running--;
        plan();
      });
    }
  };
  const plan = (): void => {
    if (isPlanned || waiting.length === 0 || running >= atOnce) return;
    isPlanned = true;
    // A batch belongs to none of the callers whose items it has.
    uncorrelated(() => setImmediate(next));
  };

  return (item) => {
    const added = { item, ...Promise.withResolvers<Result | undefined>() };
    waiting.push(added);
    plan();
    return added.promise;
  };
}
