import { Failures } from '../../core/failures.ts';
import { DAY_MS, isoAfter } from '../../core/time.ts';
import type { Database } from '../../db/connection/database.ts';
import { databaseSince } from '../../db/connection/encryption-keys.ts';
import {
  endMoves,
  findDueRemovals,
  findMovesOf,
  isArriving,
  postponeMoves,
} from '../../db/documents/document-moves.ts';
import { type DeletedDocument, findDigestsInUse } from '../../db/documents/documents.ts';
import type { KeptContent } from '../../providers/documents/port.ts';
import type { Runtime } from '../runtime.ts';

const BATCH = 200;

export interface Tidied {
  removed: number;
  /** Size of what was removed, before encryption. */
  bytes: number;
  /** Unused, but kept: the store cannot rule out that they are being stored again right now. */
  left: number;
}

/**
 * Removes stored bytes that no row refers to, and uploads that killed processes left unfinished. Storing bytes again renews their date, so
 * no row is about to follow for bytes older than a day. Keeps bytes older than the database, because they belong to another database:
 * `DATABASE_URL` may be wrong.
 * @throws ProviderUnavailable, after all others when the store only refuses some
 */
export async function tidyDocuments({
  db,
  providers: { documents },
  now,
}: Pick<Runtime, 'db' | 'providers' | 'now'>): Promise<Tidied> {
  const before = new Date(isoAfter(now(), -DAY_MS));
  const since = (await databaseSince(db)) ?? now();
  const tidied: Tidied = { removed: 0, bytes: 0, left: 0 };
  const failures = new Failures();
  await documents.recover();
  const isOld = ({ storedAt }: KeptContent) => storedAt >= since && storedAt < before;
  for await (const batch of batches(documents.kept(), isOld)) {
    for (const { sha256, sizeBytes } of await withoutRow(db, batch))
      try {
        const isRemoved = (await documents.removeUnless(sha256, (storedAt) => storedAt >= before)) === 'removed';
        if (isRemoved) tidied.bytes += sizeBytes;
        tidied[isRemoved ? 'removed' : 'left'] += 1;
      } catch (error) {
        failures.add(error);
      }
  }
  failures.end();
  return tidied;
}

async function withoutRow(db: Database, batch: readonly KeptContent[]): Promise<KeptContent[]> {
  const used = await findDigestsInUse(
    db,
    batch.map(({ sha256 }) => sha256),
  );
  return batch.filter(({ sha256 }) => !used.has(sha256));
}

/** Splits the items into batches and keeps the wanted ones of each. */
async function* batches<Item>(items: AsyncIterable<Item>, isWanted: (item: Item) => boolean): AsyncGenerator<Item[]> {
  let batch: Item[] = [];
  for await (const item of items) {
    if (batch.push(item) < BATCH) continue;
    yield batch.filter(isWanted);
    batch = [];
  }
  yield batch.filter(isWanted);
}

export interface RemovedBytes {
  removed: number;
  /** Kept, because another row refers to them. */
  shared: number;
  /** Kept, because they have been stored again and a row may follow, or the store is unavailable: retention removes them later. */
  left: number;
}

type Removing = Pick<Runtime, 'db' | 'providers' | 'now'>;

/**
 * Removes the bytes of documents whose rows were deleted, and whose removal was owed in that transaction. What was committed stays done
 * whatever the store or the database says now: a failure is logged, and `retryRemovals` tries again. Never throws.
 */
export async function removeBytes(
  runtime: Removing & Pick<Runtime, 'log'>,
  documents: readonly DeletedDocument[],
): Promise<RemovedBytes> {
  const bySha256 = Map.groupBy(documents, ({ sha256 }) => sha256);
  const removal = { removed: 0, shared: 0, left: bySha256.size };
  try {
    for (const [sha256, rows] of bySha256) {
      const outcome = await removeOwed(runtime, sha256, rows);
      removal.left -= 1;
      removal[outcome] += 1;
    }
  } catch (error) {
    runtime.log.warn({ err: error }, 'document bytes not removed: tried again later');
  }
  return removal;
}

/**
 * Removes bytes unless another row refers to them or they are being stored again:
 * 1. the store notes which version of the bytes it holds;
 * 2. arrivals are checked before rows: an arrival ends with its row in one transaction;
 * 3. the store removes that version only. A put announced after step 2 has created another version.
 * The owed removal ends when the bytes are gone or shared.
 * @throws ProviderUnavailable
 */
async function removeOwed(
  { db, providers, now }: Removing,
  sha256: string,
  rows: readonly DeletedDocument[],
): Promise<keyof RemovedBytes> {
  const moves = await findMovesOf(db, sha256, now());
  const newest = rows.map(({ createdAt }) => createdAt).reduce((a, b) => (a > b ? a : b));
  const yesterday = isoAfter(now(), -DAY_MS);
  const before = newest > yesterday ? isoAfter(new Date(newest), 1) : yesterday;
  let isShared = false;
  const outcome = await providers.documents.removeUnless(sha256, async (storedAt) => {
    if (await isArriving(db, sha256, now())) return true;
    isShared = (await findDigestsInUse(db, [sha256])).size > 0;
    return isShared || storedAt.toISOString() >= before;
  });
  const isLeft = outcome === 'kept' && !isShared;
  if (isLeft) await postponeMoves(db, moves, isoAfter(now(), DAY_MS));
  else await endMoves(db, moves);
  if (outcome !== 'kept') return 'removed';
  return isShared ? 'shared' : 'left';
}

const MAX_REMOVALS_PER_PASS = 500;
const PAUSE_MS = 10 * 60_000;
/**
 * Tries removals again that an unavailable store or a crash prevented, and removes what failed arrivals left. One that fails comes last in
 * the next passes.
 * @throws ProviderUnavailable, after all others when the store only refuses some
 */
export async function retryRemovals(runtime: Removing): Promise<void> {
  const { db, now } = runtime;
  const failures = new Failures();
  for (const owed of await findDueRemovals(db, now(), MAX_REMOVALS_PER_PASS))
    try {
      await removeOwed(runtime, owed.sha256, [owed]);
    } catch (error) {
      await postponeMoves(db, [owed.id], isoAfter(now(), PAUSE_MS));
      failures.add(error);
    }
  failures.end();
}
