import type { DocumentType } from '../../core/rules/document-types.ts';
import type { TenantOfKey } from '../../core/rules/tenant-of-key.ts';
import { type Database, dialectOf, type Transaction } from '../connection/database.ts';
import { columnsOf, prepared } from '../connection/prepared.ts';
import { among, rowsOfJson } from '../connection/queries/many-values.ts';
import { inScope, type Scope } from '../connection/queries/scope.ts';
import { retried } from '../connection/transactions.ts';
import { forgottenApplications, sharedApplications } from './co-applicants.ts';

export interface DocumentRow {
  id: string;
  tenant_id: string;
  /** The API key for which the document was stored. Null for an older document whose key is unknown: no key sees it. */
  api_key_id: string | null;
  name: string;
  media_type: string;
  size_bytes: number;
  sha256: string;
  /** `applicant`: uploaded by the person, who may remove it. `bank`: drawn from what their bank sent. */
  source: 'operator' | 'eid' | 'applicant' | 'bank';
  created_at: string;
  /** As the person chose it; null for a document that arrived otherwise. */
  type: DocumentType | null;
  /** When the person removed it, and the key for which it was stored until then: see `removed-documents.ts`. */
  removed_at: string | null;
  removed_for: string | null;
}

/** What stores a document. */
export type NewDocument = Omit<DocumentRow, 'removed_at' | 'removed_for'>;

/** A document whose row was deleted and whose bytes may still be stored. */
export interface DeletedDocument {
  sha256: string;
  /** When its row was created. */
  createdAt: string;
}

export async function insertDocuments(trx: Transaction, rows: readonly NewDocument[]): Promise<void> {
  if (rows.length > 0) await trx('documents').insert([...rows]);
}

export function findDocuments(db: Database, { tenant_id, api_key_id }: TenantOfKey): Promise<DocumentRow[]> {
  return db('documents').where({ tenant_id, api_key_id }).orderBy('created_at').orderBy('id');
}

/** What the person uploaded for the key, oldest first. */
export function findUploads(db: Database, { tenant_id, api_key_id }: TenantOfKey): Promise<DocumentRow[]> {
  return db('documents').where({ tenant_id, api_key_id, source: 'applicant' }).orderBy('created_at').orderBy('id');
}

const COLUMNS = columnsOf<DocumentRow>({
  ...{ id: true, tenant_id: true, api_key_id: true, name: true, type: true, media_type: true, size_bytes: true },
  ...{ sha256: true, source: true, created_at: true, removed_at: true, removed_for: true },
});
const given = prepared<DocumentRow>(`
  select ${COLUMNS} from documents
  where tenant_id = ? and api_key_id = ? and source in ('applicant', 'bank') order by created_at, id`);

/** What the person gave for the key, oldest first: uploads, and statements of their bank. */
export function findGiven(db: Database, { tenant_id, api_key_id }: TenantOfKey): Promise<DocumentRow[]> {
  return given(db, tenant_id, api_key_id);
}

/** What several people gave, for whichever key. */
export function findGivenBy(db: Database, tenantIds: readonly string[]): Promise<DocumentRow[]> {
  return db('documents')
    .where(among(db, 'tenant_id', tenantIds))
    .whereIn('source', ['applicant', 'bank']);
}

/** Deletes what the person gave for the key: an upload, or a statement of their bank. @returns undefined when there is no such document */
export async function deleteUpload(
  trx: Transaction,
  { tenant_id, api_key_id }: TenantOfKey,
  id: string,
  source: 'applicant' | 'bank' = 'applicant',
): Promise<DeletedDocument | undefined> {
  const upload = { id, tenant_id, api_key_id, source };
  const row = await trx('documents').where(upload).first('sha256', 'created_at');
  if (!row) return undefined;
  await trx('document_fingerprints').where({ document_id: id }).delete();
  await trx('documents').where(upload).delete();
  return { sha256: row.sha256, createdAt: row.created_at };
}

/** @returns false when the person gave no such document */
export async function setUploadType(
  trx: Transaction,
  { tenant_id, api_key_id }: TenantOfKey,
  id: string,
  type: DocumentType,
): Promise<boolean> {
  const upload = { id, tenant_id, api_key_id, source: 'applicant' } as const;
  return (await trx('documents').where(upload).update({ type })) === 1;
}

/** A tenant's documents within a scope, without those that the person removed. */
export function findAllDocuments(db: Database, scope: Scope, tenantId: string): Promise<DocumentRow[]> {
  return db('documents')
    .where({ tenant_id: tenantId })
    .where(inScope(scope, 'api_key_id'))
    .whereNull('removed_at')
    .orderBy('created_at')
    .orderBy('id');
}

export function findAnyDocument(db: Database, scope: Scope, id: string): Promise<DocumentRow | undefined> {
  return db('documents').where({ id }).where(inScope(scope, 'api_key_id')).whereNull('removed_at').first();
}

/** The digests of the smallest documents. */
export function listSmallestDigests(db: Database, limit: number): Promise<string[]> {
  return db('documents').orderBy('size_bytes').limit(limit).pluck('sha256');
}

export async function hasDocuments(trx: Transaction, { tenant_id, api_key_id }: TenantOfKey): Promise<boolean> {
  return (await trx('documents').where({ tenant_id, api_key_id }).first('id')) !== undefined;
}

/** The digests among those given that a row of any tenant refers to. */
export async function findDigestsInUse(db: Database, digests: readonly string[]): Promise<Set<string>> {
  return new Set(await db('documents').whereIn('sha256', digests).pluck('sha256'));
}

/** Every digest that a row refers to, in order. */
export function listDigests(db: Database): Promise<string[]> {
  return db('documents').distinct('sha256').orderBy('sha256').pluck('sha256');
}

/** The next digests that rows refer to, in order. */
export function listDigestsAfter(db: Database, after: string, limit: number): Promise<string[]> {
  return db('documents').where('sha256', '>', after).orderBy('sha256').limit(limit).distinct('sha256').pluck('sha256');
}

export async function countDigests(db: Database): Promise<number> {
  const [row] = await db('documents').countDistinct({ number: 'sha256' });
  return Number(row?.number ?? 0);
}

/** Finds other documents that were made from the same file or have the same figures. */
export interface DocumentFingerprintRow {
  document_id: string;
  kind: 'origin' | 'figures';
  /** In hex. */
  value: string;
}

/** Caches them: a document's fingerprints never change. Those of a document that was removed meanwhile are left out. */
export async function noteFingerprints(db: Database, fingerprints: readonly DocumentFingerprintRow[]): Promise<void> {
  if (fingerprints.length === 0) return;
  const dialect = dialectOf(db);
  const rows = rowsOfJson(dialect, { document_id: 'text', kind: 'text', value: 'text' });
  // A removal that has not committed yet ends first.
  const locked = dialect === 'postgres' ? 'for key share of documents' : '';
  await retried(db, () =>
    db.raw(
      `with noted (document_id, kind, value) as (${rows}),
         present (id) as (select id from documents where id in (select document_id from noted) ${locked})
       insert into document_fingerprints (document_id, kind, value)
         select document_id, kind, value from noted where document_id in (select id from present)
         on conflict (document_id, kind) do nothing`,
      [JSON.stringify(fingerprints)],
    ),
  );
}

/**
 * How many other tenants submitted a document with the same fingerprint; `file` is the digest of its bytes. Present and former
 * co-applicants do not count: couples and flatmates submit the same papers.
 */
export async function countTenantsWith(
  db: Database,
  tenantId: string,
  { kind, value }: { kind: DocumentFingerprintRow['kind'] | 'file'; value: string },
): Promise<number> {
  const documents = db('documents').whereNot({ tenant_id: tenantId }).whereNull('documents.removed_at');
  if (kind === 'file') documents.where({ sha256: value });
  else documents.whereIn('id', db('document_fingerprints').where({ kind, value }).select('document_id'));
  const row = await documents
    .whereNotExists(sharedApplications(db, tenantId))
    .whereNotExists(forgottenApplications(db, tenantId))
    .countDistinct({ tenants: 'tenant_id' })
    .first();
  return Number(row?.tenants ?? 0);
}
