import type { TenantOfKey } from '../../core/rules/tenant-of-key.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { prepared } from '../connection/prepared.ts';
import { amongGiven } from '../connection/queries/many-values.ts';

/** What a document shows at first sight. Deleted with its document. */
export interface DocumentGlanceRow {
  document_id: string;
  sealed_glance: string;
  /** A small PNG of the first page, in base64. */
  sealed_thumbnail: string | null;
}

export async function insertGlance(trx: Transaction, row: DocumentGlanceRow): Promise<void> {
  await trx('document_glances').insert(row);
}

type SeenGlance = Pick<DocumentGlanceRow, 'document_id' | 'sealed_glance'>;

const glancesOf = prepared<SeenGlance & { pictures: number }>(
  (dialect) => `
  select document_id, sealed_glance, case when sealed_thumbnail is null then 0 else 1 end as pictures
  from document_glances where document_id ${amongGiven[dialect]}`,
);

/** Without the pictures, which are large. */
export async function findGlances(
  db: Database,
  documentIds: readonly string[],
): Promise<(SeenGlance & { hasThumbnail: boolean })[]> {
  if (documentIds.length === 0) return [];
  const rows = await glancesOf(db, JSON.stringify(documentIds));
  return rows.map(({ pictures, ...row }) => ({ ...row, hasThumbnail: pictures > 0 }));
}

/** The picture of a document that the person handed in for the key. */
export async function findThumbnail(
  db: Database,
  { tenant_id, api_key_id }: TenantOfKey,
  documentId: string,
): Promise<string | undefined> {
  const row = await db('document_glances')
    .join('documents', 'documents.id', 'document_glances.document_id')
    .where({ document_id: documentId, tenant_id, api_key_id, source: 'applicant' })
    .first('sealed_thumbnail');
  return row?.sealed_thumbnail ?? undefined;
}
