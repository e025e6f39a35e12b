import type { Database, Transaction } from '../connection/connect.ts';

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

/** A document whose row was deleted and whose bytes may still be stored. */
export interface DeletedDocument {
  sha256: string;
  /** When its row was created. */
  createdAt: string;
}

export async function insertDocuments(trx: Transaction, rows: readonly DocumentRow[]): Promise<void> {
  if (rows.length > 0) await trx('documents').insert([...rows]);
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

export async function hasDocuments(trx: Transaction, tenantId: string): Promise<boolean> {
  return (await trx('documents').where({ tenant_id: tenantId }).first('id')) !== undefined;
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
export async function listDigestsAfter(db: Database, after: string, limit: number): Promise<string[]> {
  const rows = await db('documents').where('sha256', '>', after).orderBy('sha256').limit(limit).distinct('sha256');
  return rows.map(({ sha256 }) => sha256);
}

export async function countDigests(db: Database): Promise<number> {
  const [row] = await db('documents').countDistinct({ number: 'sha256' });
  return Number(row?.number ?? 0);
}
