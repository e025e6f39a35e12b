import { newId } from '../core/ids.ts';
import type { Transaction } from '../db/connect.ts';
import type { DocumentRow } from '../db/rows.ts';
import type { DocumentStore, DownloadedDocument } from '../providers/providers.ts';
import type { Queue } from './queue.ts';
import { startForensic } from './start-forensic.ts';

/** A document whose bytes are stored and which waits for its row. */
export interface StoredDocument {
  name: string;
  mediaType: string;
  sha256: string;
  sizeBytes: number;
}

/** Bytes first, outside any transaction: a row never points at nothing. */
export async function storeDocument(store: DocumentStore, document: DownloadedDocument): Promise<StoredDocument> {
  const { sha256, sizeBytes } = await store.put(document.content);
  return { name: document.name, mediaType: document.mediaType, sha256, sizeBytes };
}

/** Gives stored documents to a tenant; the forensic run starts by itself once its prerequisites are met. */
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
  if (rows.length > 0) await trx('documents').insert(rows);
  await startForensic(trx, queue, tenantId, now);
  return rows;
}
