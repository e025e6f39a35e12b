import { newId } from '../../core/ids.ts';
import { lockTenant } from '../../db/applications/tenants.ts';
import type { Transaction } from '../../db/connection/connect.ts';
import type { DocumentRow } from '../../db/documents/documents.ts';
import type { DownloadedDocument, StoredContent } from '../../providers/documents/port.ts';
import type { Queue } from '../queue/queue.ts';
import type { Runtime } from '../runtime.ts';
import { startForensic } from './start-forensic.ts';

/** A document whose bytes are stored and which waits for its row. */
export interface StoredDocument {
  name: string;
  mediaType: string;
  sha256: string;
  sizeBytes: number;
}

/**
 * Stores documents, then does the work that makes their rows in one transaction: a row never points at nothing. What has
 * no row afterwards, because the work failed or decided otherwise, is taken back.
 * @throws UnacceptableDocument, ProviderUnavailable, and what the work throws
 */
export async function storingDocuments<Result>(
  runtime: Pick<Runtime, 'db' | 'providers' | 'log'>,
  documents: readonly DownloadedDocument[],
  work: (trx: Transaction, stored: StoredDocument[]) => Promise<Result>,
): Promise<Result> {
  const contents: StoredContent[] = [];
  const stored: StoredDocument[] = [];
  let isCommitUnknown = false;
  try {
    // One after the other: a document that cannot be stored is the last one asked for.
    for (const { name, content } of documents) {
      const kept = await runtime.providers.documents.put(content);
      contents.push(kept);
      stored.push({ name, mediaType: kept.mediaType, sha256: kept.sha256, sizeBytes: kept.sizeBytes });
    }
    const result = await runtime.db.transaction(async (trx) => {
      const done = await work(trx, stored);
      isCommitUnknown = true;
      return done;
    });
    isCommitUnknown = false;
    return result;
  } finally {
    // When the answer to the commit is lost, it may still be under way: the rows may be there a moment later.
    if (!isCommitUnknown) await takeBackUnused(runtime, contents);
  }
}

/**
 * Somebody else's row may refer to the same bytes, so where the database cannot be asked nothing is taken back. Nothing is
 * thrown either: bytes without a row are in nobody's way, and are tidied away.
 */
export async function takeBackUnused(
  { db, log }: Pick<Runtime, 'db' | 'log'>,
  contents: readonly StoredContent[],
): Promise<void> {
  if (contents.length === 0) return;
  const complain = () => log.warn('stored documents that got no row could not be taken back');
  try {
    const digests = contents.map(({ sha256 }) => sha256);
    const used = new Set(await db('documents').whereIn('sha256', digests).pluck('sha256'));
    for (const content of contents) if (!used.has(content.sha256)) await content.discard().catch(complain);
  } catch {
    complain();
  }
}

/**
 * Gives stored documents to a tenant; the forensic run starts by itself once its prerequisites are met.
 * @throws NotFound when the tenant was erased meanwhile
 */
export async function addDocuments(
  trx: Transaction,
  queue: Queue,
  tenantId: string,
  documents: readonly StoredDocument[],
  source: DocumentRow['source'],
  now: Date,
): Promise<DocumentRow[]> {
  const rows = documents.map(({ name, mediaType, sha256, sizeBytes }) => ({
    id: newId(),
    tenant_id: tenantId,
    name,
    media_type: mediaType,
    size_bytes: sizeBytes,
    sha256,
    source,
    created_at: now.toISOString(),
  }));
  await lockTenant(trx, tenantId);
  if (rows.length > 0) await trx('documents').insert(rows);
  await startForensic(trx, queue, tenantId, now);
  return rows;
}
