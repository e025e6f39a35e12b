import { DAY_MS, isoAfter } from '../../core/time.ts';
import { type DeletedDocument, findDigestsInUse } from '../../db/documents/documents.ts';
import type { Runtime } from '../runtime.ts';

/** What became of stored bytes. */
export interface RemovedBytes {
  removed: number;
  /** Kept, because another row refers to them. */
  shared: number;
  /** Kept, because they were stored again since and a row may follow: `document tidy` removes them later. */
  left: number;
}

/**
 * Removes the bytes of documents whose rows were deleted, unless another row refers to them. Bytes that were stored again
 * since then may belong to a row that is still to be inserted.
 * @throws ProviderUnavailable
 */
export async function removeBytes(
  { db, providers, now }: Pick<Runtime, 'db' | 'providers' | 'now'>,
  documents: readonly DeletedDocument[],
): Promise<RemovedBytes> {
  const removal = { removed: 0, shared: 0, left: 0 };
  for (const [sha256, rows] of Map.groupBy(documents, (document) => document.sha256)) {
    if ((await findDigestsInUse(db, [sha256])).size > 0) {
      removal.shared += 1;
      continue;
    }
    const newest = rows.map(({ createdAt }) => createdAt).reduce((a, b) => (a > b ? a : b));
    const yesterday = isoAfter(now(), -DAY_MS);
    const isRemoved = await providers.documents.removeOld(
      sha256,
      new Date(newest > yesterday ? isoAfter(new Date(newest), 1) : yesterday),
    );
    removal[isRemoved ? 'removed' : 'left'] += 1;
  }
  return removal;
}
