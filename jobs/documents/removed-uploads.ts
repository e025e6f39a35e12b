import type { DocumentType } from '../../core/rules/document-types.ts';
import type { TenantOfKey } from '../../core/rules/tenant-of-key.ts';
import { DAY_MS, isoAfter } from '../../core/time.ts';
import { findTenantByIdOrEmail, lockTenantOfKey } from '../../db/applications/tenants.ts';
import { recordAudit } from '../../db/audit/audit.ts';
import type { Transaction } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { oweRemovals } from '../../db/documents/document-moves.ts';
import { findUploads, hasDocuments, setUploadType } from '../../db/documents/documents.ts';
import { endRunOfKey } from '../../db/documents/forensic-runs.ts';
import {
  deleteRemoved,
  deleteRemovedBeyond,
  listRemoved,
  type RemovedDocument,
  restoreUpload,
  setUploadAside,
} from '../../db/documents/removed-documents.ts';
import type { Runtime } from '../runtime.ts';
import { startForensic } from './start-forensic.ts';
import { removeBytes } from './tidy-documents.ts';
import { lockUploader, noteRemoval, RefusedUpload, type Uploader, type Uploading } from './uploads.ts';

/** How long a person may bring back what they removed. */
const UNDO_MS = DAY_MS;

/** What the person removed for the key and may still bring back, newest first. */
export async function listRemovedUploads(
  { db, now }: Pick<Runtime, 'db' | 'now'>,
  { email, apiKeyId }: Pick<Uploader, 'email' | 'apiKeyId'>,
): Promise<RemovedDocument[]> {
  const tenant = await findTenantByIdOrEmail(db, email);
  if (!tenant) return [];
  return listRemoved(db, { tenant_id: tenant.id, api_key_id: apiKeyId }, isoAfter(now(), -UNDO_MS));
}

/** Removes an upload; the person may bring it back for a day. A no-op when there is none; results already sent stay with their recipients. */
export async function removeUpload(
  runtime: Pick<Uploading, 'db' | 'providers' | 'limits' | 'now' | 'log'>,
  who: Uploader,
  id: string,
): Promise<void> {
  const moment = runtime.now();
  const obsolete = await inTransaction(runtime.db, async (trx) => {
    const of = await lockGiver(trx, who);
    if (!of || !(await setUploadAside(trx, of, id, moment))) return [];
    await noteRemoval(trx, of, who, id, moment);
    if (!(await hasDocuments(trx, of))) await endRunOfKey(trx, of, 'The person removed their documents.', moment);
    const deleted = await deleteRemovedBeyond(trx, of, runtime.limits.uploads);
    await oweRemovals(trx, deleted, moment);
    return deleted;
  });
  await removeBytes(runtime, obsolete);
}

/** Brings a removed upload back. A no-op when there is none. @throws RefusedUpload when no more documents fit */
export async function bringBackUpload(
  { db, queue, limits, now }: Pick<Uploading, 'db' | 'queue' | 'limits' | 'now'>,
  who: Uploader,
  id: string,
): Promise<void> {
  const moment = now();
  await inTransaction(db, async (trx) => {
    const of = await lockGiver(trx, who);
    if (!of) return;
    const removed = await listRemoved(trx, of, isoAfter(moment, -UNDO_MS));
    if (!removed.some((document) => document.id === id)) return;
    if ((await findUploads(trx, of)).length >= limits.uploads) throw new RefusedUpload('many');
    await restoreUpload(trx, of, id);
    await recordAudit(trx, { kind: 'person', id: who.participantId }, 'document.restore', id, moment);
    // Without urgency: taking a document away and back again must not send its result again and again.
    await startForensic(trx, queue, of, moment);
  });
}

/** @returns undefined for a person without an account, who has given nothing */
async function lockGiver(trx: Transaction, who: Uploader): Promise<TenantOfKey | undefined> {
  const { email } = await lockUploader(trx, who);
  const tenant = await findTenantByIdOrEmail(trx, email);
  if (!tenant) return undefined;
  const of = { tenant_id: tenant.id, api_key_id: who.apiKeyId };
  await lockTenantOfKey(trx, of);
  return of;
}

const MAX_ROWS_PER_PASS = 100;

/** Deletes what people removed more than a day ago. */
export async function deleteRemovedUploads(runtime: Pick<Runtime, 'db' | 'providers' | 'now' | 'log'>): Promise<void> {
  const { db, now } = runtime;
  for (;;) {
    const deleted = await inTransaction(db, async (trx) => {
      const moment = now();
      const gone = await deleteRemoved(trx, isoAfter(moment, -UNDO_MS), MAX_ROWS_PER_PASS);
      await oweRemovals(trx, gone, moment);
      return gone;
    });
    await removeBytes(runtime, deleted);
    if (deleted.length < MAX_ROWS_PER_PASS) return;
  }
}

/** Corrects the kind that the person chose. A no-op when there is no such upload. */
export async function changeKind(
  { db, now }: Pick<Runtime, 'db' | 'now'>,
  who: Uploader,
  id: string,
  type: DocumentType,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const of = await lockGiver(trx, who);
    if (!of || !(await setUploadType(trx, of, id, type))) return;
    await recordAudit(trx, { kind: 'person', id: who.participantId }, 'document.kind', id, now());
  });
}
