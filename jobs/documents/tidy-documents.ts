import { DAY_MS, isoAfter } from '../../core/time.ts';
import type { Database } from '../../db/connection/connect.ts';
import type { KeptContent } from '../../providers/documents/port.ts';
import type { Runtime } from '../runtime.ts';

const BATCH = 200;

export interface Tidied {
  removed: number;
  /** Of what was removed, unencrypted. */
  bytes: number;
  /** Unneeded too, but they had to stay: the store cannot tell whether somebody stores them at this moment. */
  left: number;
}

/**
 * Removes stored bytes that no row refers to, and what processes that were killed left on its way. Whoever stores bytes
 * makes them new again, so those that have been there for a day wait for no row any more. What is older than the database
 * belongs to another one: `DATABASE_URL` may be a mistake.
 * @throws ProviderUnavailable
 */
export async function tidyDocuments({
  db,
  providers: { documents },
  now,
}: Pick<Runtime, 'db' | 'providers' | 'now'>): Promise<Tidied> {
  const before = new Date(isoAfter(now(), -DAY_MS));
  const since = new Date((await db('encryption_keys').orderBy('created_at').first('created_at'))?.created_at ?? now());
  const tidied: Tidied = { removed: 0, bytes: 0, left: 0 };
  await documents.recover();
  const isOld = ({ storedAt }: KeptContent) => storedAt >= since && storedAt < before;
  for await (const batch of batches(documents.kept(), isOld)) {
    for (const { sha256, sizeBytes } of await withoutRow(db, batch)) {
      const isRemoved = await documents.removeOld(sha256, before);
      if (isRemoved) tidied.bytes += sizeBytes;
      tidied[isRemoved ? 'removed' : 'left'] += 1;
    }
  }
  return tidied;
}

async function withoutRow(db: Database, batch: readonly KeptContent[]): Promise<KeptContent[]> {
  const digests = batch.map(({ sha256 }) => sha256);
  const used = new Set(await db('documents').whereIn('sha256', digests).pluck('sha256'));
  return batch.filter(({ sha256 }) => !used.has(sha256));
}

/** The wanted of each few of the items. */
async function* batches<Item>(items: AsyncIterable<Item>, isWanted: (item: Item) => boolean): AsyncGenerator<Item[]> {
  let batch: Item[] = [];
  for await (const item of items) {
    if (batch.push(item) < BATCH) continue;
    yield batch.filter(isWanted);
    batch = [];
  }
  yield batch.filter(isWanted);
}
