import type { Database } from '../connection/connect.ts';

/** What tells a document, or what it was made from, elsewhere. */
export interface DocumentFingerprintRow {
  document_id: string;
  kind: 'origin' | 'figures';
  /** In hex. */
  value: string;
}

/** Keeps them for the next to ask; a document's fingerprints never change. */
export async function noteFingerprints(db: Database, fingerprints: readonly DocumentFingerprintRow[]): Promise<void> {
  if (fingerprints.length === 0) return;
  await db('document_fingerprints')
    .insert([...fingerprints])
    .onConflict(['document_id', 'kind'])
    .ignore();
}

/**
 * How many other tenants handed in a document with the same fingerprint; `file` is the digest of its bytes. People who take or took
 * part in an application together with the tenant do not count: couples and flatmates hand in the same papers.
 */
export async function countTenantsWith(
  db: Database,
  tenantId: string,
  { kind, value }: { kind: DocumentFingerprintRow['kind'] | 'file'; value: string },
): Promise<number> {
  const alike = db('document_fingerprints').where({ kind, value }).select('document_id');
  const documents = db('documents').whereNot({ tenant_id: tenantId });
  const row = await (kind === 'file' ? documents.where({ sha256: value }) : documents.whereIn('id', alike))
    .whereNotExists(sharedApplications(db, tenantId))
    .countDistinct({ tenants: 'tenant_id' })
    .first();
  return Number(row?.tenants ?? 0);
}

/** Those of the tenant in which the one whose document it is takes or took part. */
function sharedApplications(db: Database, tenantId: string) {
  return db('participants as theirs')
    .join('tenants as other', 'other.comparable_email', 'theirs.comparable_email')
    .join('participants as ours', 'ours.application_id', 'theirs.application_id')
    .join('tenants as own', 'own.comparable_email', 'ours.comparable_email')
    .where('own.id', tenantId)
    .where('other.id', db.ref('documents.tenant_id'))
    .select(db.raw('1'));
}
