import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { hasCode } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import {
  type BackedUpFile,
  BackupRefused,
  DATABASE_FILE,
  documentPath,
  MANIFEST_FILE,
  type Manifest,
} from '../../core/rules/backup-manifest.ts';
import { fingerprint } from '../../core/secrets/key-ring.ts';
import type { Config } from '../../core/settings/config.ts';
import { open, withDatabase } from '../../db/connection/connect.ts';
import type { Database } from '../../db/connection/database.ts';
import { countMainRows } from '../../db/connection/database-facts.ts';
import { areNotedKeysIn } from '../../db/connection/encryption-keys.ts';
import { schemaStatus } from '../../db/connection/schema-status.ts';
import { copySqlite, isIntact, pagesOf } from '../../db/connection/sqlite-file.ts';
import { listDigests } from '../../db/documents/documents.ts';
import { documentFile } from '../../providers/documents/document-folder.ts';
import { contentOf, copyFileTo, keepFolder } from './copied-file.ts';

export type Progress = <Result>(
  title: string,
  total: number,
  work: (tick: (done: number) => void) => Promise<Result>,
) => Promise<Result>;

const MOMENT_MS = 200;

/** Documents have been stored by digest since this migration. */
const DOCUMENTS_BY_DIGEST = '0011-documents-by-digest';

/**
 * Backs an SQLite database up into an empty folder, beside a running service:
 * 1. copy a consistent snapshot of the database, and check the copy;
 * 2. copy the documents that its rows refer to;
 * 3. write the manifest last: a backup without a manifest is incomplete.
 * @throws BackupRefused
 */
export async function backUp(
  { keys, documents: { store } }: Pick<Config, 'keys' | 'documents'>,
  { file, to, now }: { file: string; to: string; now: Date },
  progress: Progress,
): Promise<Manifest> {
  await makeEmptyFolder(to);
  const copy = join(to, DATABASE_FILE);
  await progress('Copying the database', pagesOf(file), (tick) => copySqlite(file, copy, tick));
  if (!isIntact(copy)) throw new BackupRefused('the database is damaged: its copy does not pass the integrity check');
  const facts = await withCopy(copy, (db) => factsOf(db, keys));
  const { digests, ...rest } = facts;
  const copied = store.kind === 'folder' ? await copyDocuments(store.folder, to, digests, progress) : [];
  const has_documents = store.kind === 'folder';
  const manifest: Manifest = {
    format: 1,
    id: newId(),
    made_at: now.toISOString(),
    ...rest,
    encryption_key: fingerprint(keys.encryption.current),
    missing_documents: has_documents ? digests.length - copied.length : 0,
    has_documents,
    files: [{ path: DATABASE_FILE, ...(await contentOf(copy)) }, ...copied],
  };
  await finish(to, manifest);
  return manifest;
}

async function makeEmptyFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0)
    throw new BackupRefused(`${folder} is not empty; each backup needs its own folder`);
}

/** Closing merges the write-ahead log into the one file. */
export function withCopy<Result>(file: string, look: (db: Database) => Promise<Result>): Promise<Result> {
  return withDatabase(open({ dialect: 'sqlite', file }), look);
}

async function factsOf(db: Database, keys: Config['keys']) {
  const { version, pending } = await schemaStatus(db);
  if (version === null || pending.includes(DOCUMENTS_BY_DIGEST))
    throw new BackupRefused('its schema is too old for a backup; run db migrate first');
  if (!pending.includes('0012-encryption-key') && (await areNotedKeysIn(db, keys.encryption)) === false)
    throw new BackupRefused('ENCRYPTION_KEY is not the one that this database was sealed with');
  const digests = await listDigests(db);
  return { schema_version: version, rows: await countMainRows(db), digests };
}

async function copyDocuments(
  folder: string,
  to: string,
  digests: readonly string[],
  progress: Progress,
): Promise<BackedUpFile[]> {
  await mkdir(join(to, 'documents'), { mode: 0o700 });
  return progress('Copying the documents', digests.length, async (tick) => {
    const copied: BackedUpFile[] = [];
    const copy = async (sha256: string) => {
      const path = documentPath(sha256);
      const content = await copyFileTo(documentFile(folder, sha256), join(to, path)).catch(unlessMissing);
      if (content) copied.push({ path, ...content });
      return content !== undefined;
    };
    const missing: string[] = [];
    for (const [index, sha256] of digests.entries()) {
      if (!(await copy(sha256))) missing.push(sha256);
      tick(index + 1);
    }
    // The service may have moved them aside for a moment.
    if (missing.length > 0) await wait(MOMENT_MS);
    for (const sha256 of missing) await copy(sha256);
    return copied;
  });
}

/** A document that was removed meanwhile, or lost earlier, must not prevent the backup of the other documents. */
function unlessMissing(error: unknown): undefined {
  if (hasCode(error, 'ENOENT')) return undefined;
  throw error;
}

async function finish(to: string, manifest: Manifest): Promise<void> {
  const unfinished = join(to, `${MANIFEST_FILE}.part`);
  if (manifest.has_documents) await keepFolder(join(to, 'documents'));
  await writeFile(unfinished, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(unfinished, join(to, MANIFEST_FILE));
  await keepFolder(to);
}
