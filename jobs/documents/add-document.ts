import { on } from '../../core/errors.ts';
import { type Cause, newId } from '../../core/ids.ts';
import type { DocumentType } from '../../core/rules/document-types.ts';
import type { TenantOfKey } from '../../core/rules/tenant-of-key.ts';
import { lockTenant } from '../../db/applications/tenants.ts';
import type { Transaction } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { beginArrival, endMoves } from '../../db/documents/document-moves.ts';
import { type DocumentRow, findDigestsInUse, insertDocuments, type NewDocument } from '../../db/documents/documents.ts';
import { type DownloadedDocument, type StoredContent, UnacceptableDocument } from '../../providers/documents/port.ts';
import type { Queue } from '../../queue/queue.ts';
import type { Runtime } from '../runtime.ts';
import { startForensic } from './start-forensic.ts';

export type Storing = Pick<Runtime, 'db' | 'providers' | 'log' | 'now'>;

/** A document whose bytes are stored and whose row has not been inserted yet. */
export type StoredDocument = Pick<StoredContent, 'mediaType' | 'sha256' | 'sizeBytes'> & {
  name: string;
  type?: DocumentType;
};

/**
 * Stores documents so that a row never refers to bytes that are missing:
 * 1. record the intent to store each, so that a concurrent removal of the same bytes keeps them;
 * 2. put its bytes into the store, where the virus scanner and `accept` may still refuse them by throwing;
 * 3. run `work`, which inserts their rows, and delete the intents in one transaction;
 * 4. discard bytes without a row, because `work` failed or rejected them.
 * @throws UnacceptableDocument, ProviderUnavailable, and what `work` throws
 */
export async function storingDocuments<Result>(
  runtime: Storing,
  documents: readonly DownloadedDocument[],
  work: (trx: Transaction, stored: StoredDocument[]) => Promise<Result>,
  accept: (stored: StoredDocument) => Promise<void> = async () => {},
): Promise<Result> {
  const contents: StoredContent[] = [];
  const stored: StoredDocument[] = [];
  const arrivals: string[] = [];
  const announce = async (sha256: string) => {
    arrivals.push(await beginArrival(runtime.db, sha256, runtime.now()));
  };
  let isCommitUnknown = false;
  try {
    // In sequence: the first document that cannot be stored stops the downloads.
    for (const { name, content } of documents) {
      const kept = await runtime.providers.documents.put(content, announce);
      contents.push(kept);
      stored.push({ ...kept, name });
      await scan(runtime, kept);
      await accept({ ...kept, name });
    }
    const result = await inTransaction(runtime.db, async (trx) => {
      isCommitUnknown = false;
      const done = await work(trx, stored);
      await endMoves(trx, arrivals);
      isCommitUnknown = true;
      return done;
    });
    isCommitUnknown = false;
    return result;
  } finally {
    // When the response to COMMIT is lost, the rows may still appear.
    if (!isCommitUnknown) await discardUnused(runtime, contents, arrivals);
  }
}

/** Before anything else reads the bytes. A scanner that does not answer clears nothing. @throws UnacceptableDocument, ProviderUnavailable */
async function scan({ providers, log }: Storing, { sha256 }: StoredContent): Promise<void> {
  const { scanner, documents } = providers;
  await scanner?.check(documents.get(sha256)).catch(
    on(UnacceptableDocument, (infected) => {
      log.warn({ reason: infected.message }, 'document refused by the virus scanner');
      throw infected;
    }),
  );
}

/**
 * Discards stored bytes that no row refers to. Best effort: discards nothing when the database is unavailable, because another tenant's row
 * may refer to the same bytes. Arrivals end once nothing is left of them; otherwise `retryRemovals` removes the bytes a day later.
 */
export async function discardUnused(
  { db, log }: Pick<Runtime, 'db' | 'log'>,
  contents: readonly StoredContent[],
  arrivals: readonly string[] = [],
): Promise<void> {
  if (contents.length === 0 && arrivals.length === 0) return;
  let isDone = true;
  const warn = () => {
    isDone = false;
    log.warn('orphaned documents not removed');
  };
  try {
    const used = await findDigestsInUse(
      db,
      contents.map(({ sha256 }) => sha256),
    );
    for (const content of contents) if (!used.has(content.sha256)) await content.discard().catch(warn);
    if (isDone) await endMoves(db, arrivals);
  } catch {
    warn();
  }
}

/** A forensic run starts once its prerequisites are met. @param cause where the service itself adds them @throws NotFound when the tenant was erased */
export async function addDocuments(
  trx: Transaction,
  queue: Queue<'run-forensic'>,
  of: TenantOfKey,
  documents: readonly StoredDocument[],
  source: DocumentRow['source'],
  now: Date,
  cause?: Cause,
): Promise<NewDocument[]> {
  const rows = documents.map(({ name, mediaType, sha256, sizeBytes, type = null }) => ({
    id: newId(),
    tenant_id: of.tenant_id,
    api_key_id: of.api_key_id,
    name,
    media_type: mediaType,
    size_bytes: sizeBytes,
    sha256,
    source,
    created_at: now.toISOString(),
    type,
  }));
  await lockTenant(trx, of.tenant_id);
  await insertDocuments(trx, rows);
  await startForensic(trx, queue, of, now, { isUrgent: true, cause });
  return rows;
}
