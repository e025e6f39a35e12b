import { mkdir, readFile, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { newId } from '../../core/ids.ts';
import {
  BackupRefused,
  DATABASE_FILE,
  documentAt,
  MANIFEST_FILE,
  type Manifest,
  readManifest,
} from '../../core/rules/backup-manifest.ts';
import { fingerprint, keysOf } from '../../core/secrets/key-ring.ts';
import type { Config } from '../../core/settings/config.ts';
import { areNotedKeysIn } from '../../db/connection/encryption-keys.ts';
import { refuseNewerSchema } from '../../db/connection/schema-status.ts';
import { holdAlone, replaceDatabase } from '../../db/connection/sqlite-file.ts';
import { documentFile } from '../../providers/documents/document-folder.ts';
import { type Progress, withCopy } from './back-up.ts';
import { contentOf, copyFileTo, keepFolderOf } from './copied-file.ts';

type Settings = Pick<Config, 'keys' | 'documents'>;

/** Read-only. @throws BackupRefused when it is incomplete, changed, or sealed with a key that is missing here */
export async function checkBackup({ keys, documents }: Settings, from: string, progress: Progress): Promise<Manifest> {
  const text = await readFile(join(from, MANIFEST_FILE), 'utf8').catch(() => undefined);
  if (text === undefined)
    throw new BackupRefused(`${from} holds no backup that was finished: there is no ${MANIFEST_FILE}`);
  const manifest = readManifest(text);
  if (!keysOf(keys.encryption).some((key) => fingerprint(key) === manifest.encryption_key)) throw wrongKey(manifest);
  if (manifest.has_documents !== (documents.store.kind === 'folder'))
    throw new BackupRefused(
      `the documents of the backup are in a ${manifest.has_documents ? 'folder' : 'bucket'}; set DOCUMENT_STORE as it was then`,
    );
  await progress('Checking the backup', manifest.files.length, async (tick) => {
    for (const [index, { path, size_bytes, sha256 }] of manifest.files.entries()) {
      const found = await contentOf(join(from, path)).catch(() => undefined);
      if (found?.sha256 !== sha256 || found.size_bytes !== size_bytes)
        throw new BackupRefused(`${path} in the backup ${found ? 'was changed' : 'is missing'}; nothing was restored`);
      tick(index + 1);
    }
  });
  return manifest;
}

/**
 * Replaces the database by a verified backup, keeps the former database beside it, and adds the backup's documents to the store.
 * @returns the path of the former database; undefined when there was none
 * @throws BackupRefused while another process has the database open, NewerSchema
 */
export async function restoreBackup(
  settings: Settings,
  { from, manifest, file: named, now }: { from: string; manifest: Manifest; file: string; now: Date },
  progress: Progress,
): Promise<string | undefined> {
  await mkdir(dirname(named), { recursive: true, mode: 0o700 });
  // A symbolic link stays; its target is replaced.
  const file = await realpath(named).catch(() => named);
  const staged = `${file}.${newId()}.part`;
  const release = holdAlone(file);
  if (!release) throw new BackupRefused('the database is in use; stop the service and its workers first');
  try {
    await copyFileTo(join(from, DATABASE_FILE), staged);
    await refuseUnfit(settings, manifest, staged);
    await restoreDocuments(settings, from, manifest, progress);
    const keptAs = `${file}.before-${now.toISOString().replace(/[:.]/g, '-')}`;
    const wasThere = await replaceDatabase(file, staged, keptAs);
    await keepFolderOf(file);
    return wasThere ? keptAs : undefined;
  } finally {
    release();
    await rm(staged, { force: true });
  }
}

/** Trusts the database itself, not the manifest. */
async function refuseUnfit({ keys }: Settings, manifest: Manifest, staged: string): Promise<void> {
  await withCopy(staged, async (db) => {
    await refuseNewerSchema(db);
    const isNoted = await db.schema.hasTable('encryption_keys');
    if (isNoted && (await areNotedKeysIn(db, keys.encryption)) === false) throw wrongKey(manifest);
  });
}

/** Before the database, so that no row refers to missing bytes. */
async function restoreDocuments(
  { documents: { store, incoming } }: Settings,
  from: string,
  { files }: Manifest,
  progress: Progress,
): Promise<void> {
  const documents = files.flatMap(({ path }) => {
    const sha256 = documentAt(path);
    return sha256 === undefined ? [] : [{ path, sha256 }];
  });
  if (store.kind !== 'folder') return;
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  await progress('Restoring the documents', documents.length, async (tick) => {
    for (const [index, { path, sha256 }] of documents.entries()) {
      const arriving = join(incoming, newId());
      await copyFileTo(join(from, path), arriving);
      const place = documentFile(store.folder, sha256);
      await mkdir(dirname(place), { recursive: true, mode: 0o700 });
      await rename(arriving, place);
      await keepFolderOf(place);
      tick(index + 1);
    }
  });
}

function wrongKey({ encryption_key }: Manifest): BackupRefused {
  return new BackupRefused(
    `the backup needs the encryption key with the fingerprint ${encryption_key}, which is neither ENCRYPTION_KEY nor among FORMER_ENCRYPTION_KEYS`,
  );
}
