import { DAY_MS, isoAfter } from '../../core/time.ts';
import type { Runtime } from '../runtime.ts';

/** Documents whose rows are gone, by the digest of their bytes. */
export interface GoneDocument {
  sha256: string;
  /** When their row was made. */
  handedInAt: string;
}

/** What became of stored bytes. */
export interface RemovedBytes {
  removed: number;
  /** Another row refers to them. */
  shared: number;
  /** Somebody stored them again since, and its row may be on the way: `document tidy` removes them later. */
  left: number;
}

/**
 * Removes the bytes of documents whose rows are gone, unless another row refers to them. Bytes that were stored again since
 * the row was made may wait for another.
 * @throws ProviderUnavailable
 */
export async function removeBytes(
  { db, providers, now }: Pick<Runtime, 'db' | 'providers' | 'now'>,
  documents: readonly GoneDocument[],
): Promise<RemovedBytes> {
  const removal = { removed: 0, shared: 0, left: 0 };
  for (const [sha256, rows] of Map.groupBy(documents, (document) => document.sha256)) {
    if (await db('documents').where({ sha256 }).first('id')) {
      removal.shared += 1;
      continue;
    }
    const handedInAt = rows.map((row) => row.handedInAt).reduce((a, b) => (a > b ? a : b));
    const yesterday = isoAfter(now(), -DAY_MS);
    const isRemoved = await providers.documents.removeOld(
      sha256,
      new Date(handedInAt > yesterday ? isoAfter(new Date(handedInAt), 1) : yesterday),
    );
    removal[isRemoved ? 'removed' : 'left'] += 1;
  }
  return removal;
}
