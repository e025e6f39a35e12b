import type { Inspection } from '@tenant-screening/forensics/analysis';
import type { TenantOfKey } from '../../core/rules/tenant-of-key.ts';
import type { SeenDocument } from '../../core/rules/upload-answers.ts';
import { ifOpened, seal, sealText, unsealBytes, unsealText } from '../../core/secrets/secrets.ts';
import { findTenantByIdOrEmail } from '../../db/applications/tenants.ts';
import type { Database, Transaction } from '../../db/connection/database.ts';
import { findGlances, findThumbnail, insertGlance } from '../../db/documents/document-glances.ts';
import type { DocumentRow } from '../../db/documents/documents.ts';
import type { Runtime } from '../runtime.ts';

type Keys = Pick<Runtime, 'keys'>;

/** A document with what it shows at first sight. */
export type SeenRow = DocumentRow & { seen: SeenDocument | undefined; hasThumbnail: boolean };

/** Keeps what an inspection saw, sealed: it repeats what the document says. */
export async function keepGlance(
  trx: Transaction,
  { keys }: Keys,
  documentId: string,
  { glance, thumbnail }: Pick<Inspection, 'glance' | 'thumbnail'>,
): Promise<void> {
  if (!glance) return;
  await insertGlance(trx, {
    document_id: documentId,
    sealed_glance: sealText(JSON.stringify(glance), keys.encryption),
    sealed_thumbnail: thumbnail ? seal(thumbnail, keys.encryption).toString('base64') : null,
  });
}

/** A document whose glance no key opens has none: it is an aid, not a record. */
export async function withGlances(
  { db, keys }: { db: Database } & Keys,
  documents: readonly DocumentRow[],
): Promise<SeenRow[]> {
  const glances = await findGlances(
    db,
    documents.map(({ id }) => id),
  );
  const byId = new Map(glances.map((glance) => [glance.document_id, glance]));
  return documents.map((document) => {
    const glance = byId.get(document.id);
    const seen = glance && opened(glance.sealed_glance, keys);
    return { ...document, seen, hasThumbnail: glance?.hasThumbnail ?? false };
  });
}

function opened(sealed: string, keys: Keys['keys']): SeenDocument | undefined {
  return ifOpened(() => JSON.parse(unsealText(sealed, keys.encryption)));
}

/** The small picture of a document that the person handed in. @returns undefined when there is none, or no key opens it */
export async function readThumbnail(
  { db, keys }: Pick<Runtime, 'db' | 'keys'>,
  { email, apiKeyId }: { email: string; apiKeyId: string },
  documentId: string,
): Promise<Buffer | undefined> {
  const tenant = await findTenantByIdOrEmail(db, email);
  if (!tenant) return undefined;
  const of: TenantOfKey = { tenant_id: tenant.id, api_key_id: apiKeyId };
  const sealed = await findThumbnail(db, of, documentId);
  return sealed === undefined ? undefined : ifOpened(() => unsealBytes(sealed, keys.encryption));
}
