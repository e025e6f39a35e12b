import type { Database } from '../connection/connect.ts';
export interface DocumentRow {
  id: string;
  tenant_id: string;
  name: string;
  media_type: string;
  size_bytes: number;
  sha256: string;
  source: 'operator' | 'eid';
  created_at: string;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    documents: DocumentRow;
  }
}

export function findDocuments(db: Database, tenantId: string): Promise<DocumentRow[]> {
  return db('documents').where({ tenant_id: tenantId }).orderBy('created_at').orderBy('id');
}

/** For operators, who may read every document. */
export function findAnyDocument(db: Database, id: string): Promise<DocumentRow | undefined> {
  return db('documents').where({ id }).first();
}

/** The digests of the smallest documents. */
export function listSmallestDigests(db: Database, limit: number): Promise<string[]> {
  return db('documents').orderBy('size_bytes').limit(limit).pluck('sha256');
}
