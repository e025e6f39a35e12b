import type { Knex } from 'knex';
import type { TenantOfKey } from '../../core/rules/tenant-of-key.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { prepared } from '../connection/prepared.ts';
import type { DeletedDocument, DocumentRow } from './documents.ts';

/** A document that its person removed, and that they may still bring back. No key sees it meanwhile. */
export type RemovedDocument = Pick<DocumentRow, 'id' | 'name' | 'type'> & { removed_at: string };

/** Takes an upload away from the key. @returns false when there is no such upload */
export async function setUploadAside(
  trx: Transaction,
  { tenant_id, api_key_id }: TenantOfKey,
  id: string,
  now: Date,
): Promise<boolean> {
  const taken = await trx('documents')
    .where({ id, tenant_id, api_key_id, source: 'applicant' })
    .update({ api_key_id: null, removed_for: api_key_id, removed_at: now.toISOString() });
  return taken === 1;
}

/** Gives a removed upload back to the key. @returns false when there is no such upload */
export async function restoreUpload(
  trx: Transaction,
  { tenant_id, api_key_id }: TenantOfKey,
  id: string,
): Promise<boolean> {
  const given = await trx('documents')
    .where({ id, tenant_id, removed_for: api_key_id })
    .update({ api_key_id, removed_for: null, removed_at: null });
  return given === 1;
}

const removed = prepared<RemovedDocument>(`
  select id, name, type, removed_at from documents
  where tenant_id = ? and removed_for = ? and removed_at > ? order by removed_at desc, id`);

/** What the person removed for the key, newest first. */
export function listRemoved(
  db: Database,
  { tenant_id, api_key_id }: TenantOfKey,
  since: string,
): Promise<RemovedDocument[]> {
  return removed(db, tenant_id, api_key_id, since);
}

/** Deletes what was removed before. The caller removes the bytes. */
export async function deleteRemoved(trx: Transaction, before: string, limit: number): Promise<DeletedDocument[]> {
  const ids = await trx('documents').where('removed_at', '<=', before).orderBy('removed_at').limit(limit).pluck('id');
  return deleteAsRemoved(trx, ids);
}

/** Deletes all but the newest of what the person removed for the key: uploading and removing in turn is bounded too. */
export async function deleteRemovedBeyond(trx: Transaction, of: TenantOfKey, most: number): Promise<DeletedDocument[]> {
  const removed = await listRemoved(trx, of, '');
  return deleteAsRemoved(
    trx,
    removed.slice(most).map(({ id }) => id),
  );
}

async function deleteAsRemoved(trx: Transaction, ids: readonly string[]): Promise<DeletedDocument[]> {
  if (ids.length === 0) return [];
  const removed = () => trx('documents').whereIn('id', ids).whereNotNull('removed_at');
  const rows = await removed().forUpdate().select('id', 'sha256', 'created_at');
  await trx('document_fingerprints')
    .whereIn(
      'document_id',
      rows.map(({ id }) => id),
    )
    .delete();
  await removed().delete();
  return rows.map(({ sha256, created_at }) => ({ sha256, createdAt: created_at }));
}

/** A condition for `where`: the documents of these keys, also those that their person removed from them. */
export function documentsWithin({ apiKeyIds }: { apiKeyIds?: readonly string[] }) {
  return (query: Knex.QueryBuilder): void => {
    if (apiKeyIds) query.whereIn('api_key_id', apiKeyIds).orWhereIn('removed_for', apiKeyIds);
  };
}
