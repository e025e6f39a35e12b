import { ConfigError } from '../core/config.ts';
import { BrokenSeal } from '../core/sealing.ts';
import { sealText, unsealText } from '../core/secrets.ts';
import type { Database } from '../db/connect.ts';
import { type DocumentStore, MissingDocument, UnreadableDocument } from '../providers/providers.ts';

const DOCUMENTS_TRIED = 5;

/**
 * A database belongs to one key. One that does not open what is there would fail every signed delivery, and replace the
 * documents of others by bytes that nobody can read. Whichever process comes first says which key it is.
 * @throws ConfigError, ProviderUnavailable
 */
export async function checkEncryptionKey(
  db: Database,
  documents: DocumentStore,
  key: Uint8Array,
  now: Date,
): Promise<void> {
  if (!(await readCheck(db))) {
    await checkByWhatIsThere(db, documents, key);
    await db('encryption_keys')
      .insert({ id: 'current', sealed_check: sealText('ENCRYPTION_KEY', key), created_at: now.toISOString() })
      .onConflict('id')
      .ignore();
  }
  // Read again: of two processes that come first at once, one has won.
  opens(await readCheck(db), key);
}

async function readCheck(db: Database): Promise<string | undefined> {
  return (await db('encryption_keys').first('sealed_check'))?.sealed_check;
}

/** Databases of earlier versions hold no check, but what was sealed already. */
async function checkByWhatIsThere(db: Database, documents: DocumentStore, key: Uint8Array): Promise<void> {
  const webhook = await db('webhooks').whereNotNull('sealed_secret').first('sealed_secret');
  opens(webhook?.sealed_secret, key);
  const rows = await db('documents').orderBy('size_bytes').limit(DOCUMENTS_TRIED).select('sha256');
  const opened = [];
  for (const { sha256 } of rows) opened.push(await isReadable(documents, sha256));
  // One may have been changed; none that opens means that the key is wrong.
  if (opened.includes(false) && !opened.includes(true)) throw wrongKey();
}

function opens(sealed: string | null | undefined, key: Uint8Array): void {
  try {
    if (sealed) unsealText(sealed, key);
  } catch (error) {
    throw error instanceof BrokenSeal ? wrongKey() : error;
  }
}

/** Undefined when there is nothing to read. */
async function isReadable(documents: DocumentStore, sha256: string): Promise<boolean | undefined> {
  try {
    for await (const _ of documents.get(sha256));
    return true;
  } catch (error) {
    if (error instanceof MissingDocument) return undefined;
    if (error instanceof UnreadableDocument) return false;
    throw error;
  }
}

function wrongKey(): ConfigError {
  return new ConfigError(['ENCRYPTION_KEY is not the one that this database was sealed with.']);
}
