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
