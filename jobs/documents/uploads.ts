import type { Inspection, Obstacle } from '@tenant-screening/forensics/analysis';
import { Conflict, NotFound, on } from '../../core/errors.ts';
import type { DocumentType } from '../../core/rules/document-types.ts';
import { withEnding } from '../../core/rules/file-names.ts';
import type { TenantOfKey } from '../../core/rules/tenant-of-key.ts';
import { isoDay } from '../../core/time.ts';
import { lockAnyApplication } from '../../db/applications/applications.ts';
import { findInvited, type Invited } from '../../db/applications/invited.ts';
import { addTenant, lockTenant, lockTenantOfKey } from '../../db/applications/tenants.ts';
import { recordAudit } from '../../db/audit/audit.ts';
import type { Transaction } from '../../db/connection/database.ts';
import { oweRemovals } from '../../db/documents/document-moves.ts';
import { type DeletedDocument, deleteUpload, findUploads, hasDocuments } from '../../db/documents/documents.ts';
import { endRunOfKey } from '../../db/documents/forensic-runs.ts';
import { deleteRemovedBeyond, setUploadAside } from '../../db/documents/removed-documents.ts';
import { takeUpload } from '../../db/documents/upload-pieces.ts';
import { deleteReportsAbout } from '../../db/reports/reports.ts';
import { UnacceptableDocument } from '../../providers/documents/port.ts';
import type { Runtime } from '../runtime.ts';
import { addDocuments, type StoredDocument, storingDocuments } from './add-document.ts';
import { keepGlance } from './glances.ts';
import { removeBytes } from './tidy-documents.ts';

export type Uploading = Pick<Runtime, 'db' | 'queue' | 'providers' | 'forensics' | 'limits' | 'keys' | 'now' | 'log'>;

/** A participant who may upload, as loaded by the page behind their link. */
export type Uploader = Pick<Invited, 'apiKeyId' | 'email'> & { participantId: string };

export interface Upload {
  /** The file's name on the person's device. */
  name: string;
  type: DocumentType;
  content: AsyncIterable<Uint8Array>;
  /** The id of the upload that this upload replaces, which the person may bring back for a day. */
  replaces?: string | undefined;
  /** The pieces that make the file. Their rows end with the row of the document, so that they make one document only. */
  uploadId?: string | undefined;
  /** Resolves once this file may be opened: those of one form are opened one after the other. */
  turn?: Promise<unknown> | undefined;
}

export type RefusalReason = UnacceptableDocument['reason'] | Obstacle | 'format' | 'heic' | 'mismatch';

/** A rejected file. Pages have a sentence for each reason. */
export class RefusedUpload extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason) {
    super(reason);
    this.reason = reason;
  }
}

const ACCEPTED = new Set(['application/pdf', 'image/jpeg', 'image/png']);
const MAX_NAME_LENGTH = 150;

/**
 * Accepts a file of an applicant:
 * 1. streams it into the document store, which encrypts it and limits its size;
 * 2. checks that its content matches its extension, and opens it in a sandboxed process, which also says what it looks like;
 * 3. inserts its row for the application's key, and creates the person's account if there is none. Forensic analysis starts once its
 *    prerequisites are met.
 * @returns the id of the document
 * @throws RefusedUpload, NotFound when the person no longer participates, Conflict when its pieces are gone, ProviderUnavailable
 */
export async function addUpload(runtime: Uploading, who: Uploader, upload: Upload): Promise<string> {
  const { content, turn } = upload;
  const name = readFileName(upload.name);
  let inspection: Inspection = {};
  const { id, obsolete } = await storingDocuments(
    runtime,
    [{ name, content }],
    (trx, stored) => insertUpload(trx, runtime, who, { ...upload, stored, inspection }),
    async (stored) => {
      await turn;
      inspection = await accept(runtime, who, stored);
    },
  ).catch(
    on(UnacceptableDocument, ({ reason }) => {
      throw new RefusedUpload(reason);
    }),
  );
  await removeBytes(runtime, obsolete);
  return id;
}

/** The content decides, not the name, which only helps to say what is wrong, and gets the ending of the content. */
async function accept(
  { forensics, providers, now }: Uploading,
  { participantId }: Uploader,
  { name, mediaType, sha256 }: StoredDocument,
): Promise<Inspection> {
  if (!ACCEPTED.has(mediaType)) throw new RefusedUpload(whyNotAccepted(name, mediaType));
  const document = { id: sha256, name, read: () => providers.documents.get(sha256) };
  const inspection = await forensics.inspect(document, isoDay(now()), participantId);
  if (inspection.obstacle) throw new RefusedUpload(inspection.obstacle);
  return inspection;
}

function whyNotAccepted(name: string, mediaType: string): RefusalReason {
  if (/^image\/hei[cf]/.test(mediaType)) return 'heic';
  const hasAcceptedName = /\.(pdf|jpe?g|png)$/i.test(name);
  // A picture in another format was saved under such a name by a program that knows no better: saving it again would not help.
  return hasAcceptedName && !mediaType.startsWith('image/') ? 'mismatch' : 'format';
}

type Accepted = Omit<Upload, 'content' | 'name'> & { stored: StoredDocument[]; inspection: Inspection };

async function insertUpload(
  trx: Transaction,
  { queue, limits, keys, now }: Uploading,
  who: Uploader,
  { stored, type, replaces, uploadId, inspection }: Accepted,
): Promise<{ id: string; obsolete: DeletedDocument[] }> {
  const { email, name } = await lockUploader(trx, who);
  const moment = now();
  const pieces = uploadId === undefined ? [] : await takeUpload(trx, uploadId, moment);
  if (uploadId !== undefined && pieces.length === 0) throw startAgain();
  const { tenant } = await addTenant(trx, { email, name }, moment);
  const of = { tenant_id: tenant.id, api_key_id: who.apiKeyId };
  await lockTenantOfKey(trx, of);
  const uploads = await findUploads(trx, of);
  const former = uploads.find(({ id }) => id === replaces);
  if (uploads.length - (former ? 1 : 0) >= limits.uploads) throw new RefusedUpload('many');
  if (former) await setUploadAside(trx, of, former.id, moment);
  const typed = stored.map((document) => ({ ...document, name: withEnding(document.name, document.mediaType), type }));
  const [added] = await addDocuments(trx, queue, of, typed, 'applicant', moment);
  if (!added) throw new Error('An upload has one document.');
  await keepGlance(trx, { keys }, added.id, inspection);
  await recordAudit(trx, { kind: 'person', id: who.participantId }, 'document.upload', added.id, moment);
  if (former) await noteRemoval(trx, of, who, former.id, moment);
  const obsolete = [...pieces, ...(former ? await deleteRemovedBeyond(trx, of, limits.uploads) : [])];
  await oweRemovals(trx, obsolete, moment);
  return { id: added.id, obsolete };
}

export function startAgain(): Conflict {
  return new Conflict('The upload cannot continue. Start it again.');
}

/** Under this lock the person can neither decline nor be removed. @throws NotFound */
export async function lockUploader(trx: Transaction, { participantId }: Uploader): Promise<Invited> {
  const found = await findInvited(trx, participantId);
  if (!found) throw new NotFound('Participant');
  await lockAnyApplication(trx, found.applicationId);
  const invited = await findInvited(trx, participantId);
  if (invited?.consent !== 'accepted') throw new NotFound('Participant');
  return invited;
}

/** Removes what the person gave. The caller has locked them, and removes the bytes. @returns undefined when there is no such document */
export async function removeGiven(
  trx: Transaction,
  of: TenantOfKey,
  who: Uploader,
  { id, source }: { id: string; source: 'applicant' | 'bank' },
  now: Date,
): Promise<DeletedDocument | undefined> {
  await lockTenant(trx, of.tenant_id);
  const gone = await deleteUpload(trx, of, id, source);
  if (!gone) return undefined;
  await noteRemoval(trx, of, who, id, now);
  await oweRemovals(trx, [gone], now);
  if (!(await hasDocuments(trx, of))) await endRunOfKey(trx, of, 'The person removed their documents.', now);
  return gone;
}

/** Whatever a person takes back is in no report any more. */
export async function noteRemoval(
  trx: Transaction,
  of: TenantOfKey,
  { participantId }: Uploader,
  id: string,
  now: Date,
): Promise<void> {
  await deleteReportsAbout(trx, of);
  await recordAudit(trx, { kind: 'person', id: participantId }, 'document.remove', id, now);
}

/** Removes invisible characters; keeps the end, which contains the extension. */
function readFileName(text: string): string {
  const shown = text.toWellFormed().replace(/\p{C}/gu, '').trim();
  const characters = [...shown];
  return characters.length > MAX_NAME_LENGTH
    ? `…${characters.slice(1 - MAX_NAME_LENGTH).join('')}`
    : shown || 'document';
}
