import { link, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { SEAL_HEAD_BYTES } from '../../core/secrets/sealing.ts';
import { onDisk, withoutPath } from './disk.ts';
import type { DocumentStore, KeptContent } from './port.ts';
import { gone } from './read-document.ts';
import { type ReceivedDocument, type Receiving, removeLeftovers } from './receive-document.ts';
import { sealedStore } from './sealed-store.ts';

const DIGEST = /^[0-9a-f]{64}$/;
/** A document moved aside: its digest and a unique suffix. */
const ASIDE = /^(?<sha256>[0-9a-f]{64})\.[0-9a-f-]{36}$/;

/**
 * Documents in a local folder, encrypted and named by their plaintext's digest. Each put encrypts again and writes its own file, so that
 * a writer that discards its file recognizes it. A file that was moved aside and put back has a new time and belongs to no writer.
 */
export async function createDocumentFolder(folder: string, receiving: Receiving): Promise<DocumentStore> {
  const fileOf = (sha256: string) => documentFile(folder, sha256);
  const takeAway = (sha256: string, mayGo: MayGo) =>
    onDisk(removeIf(fileOf(sha256), join(receiving.folder, `${sha256}.${newId()}`), mayGo));
  const recover = async () => {
    await putBackAll(receiving.folder, fileOf);
    await removeLeftovers(receiving);
  };
  const keep = async ({ file: arrived, head, sha256 }: ReceivedDocument) => {
    const created = await onDisk(moveInto(fileOf(sha256), arrived));
    const isOurs = async (file: string) => (await timeOf(file)) === created && (await beginsWith(file, head));
    return async () => {
      if (created) await takeAway(sha256, isOurs);
    };
  };
  await recover();
  return {
    ...sealedStore(receiving, { keep, read: (sha256) => readSealed(fileOf(sha256)) }),
    kept: () => filesIn(folder),
    async removeUnless(sha256, isNeeded) {
      const found = await onDisk(ifThere(stat(fileOf(sha256))));
      if (!found) return 'gone';
      if (await isNeeded(found.mtime)) return 'kept';
      const isSame = async (file: string) => {
        const now = await ifThere(stat(file));
        return now?.ino === found.ino && now.mtimeMs === found.mtimeMs;
      };
      return (await takeAway(sha256, isSame)) ? 'removed' : 'kept';
    },
    recover,
  };
}

/** The path of a document in the folder. */
export function documentFile(folder: string, sha256: string): string {
  return join(folder, sha256.slice(0, 2), sha256);
}

/** @returns the file's time when nothing was there before */
async function moveInto(file: string, arrived: string): Promise<number | undefined> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const time = await timeOf(arrived);
  const isNew = await unless(
    'EEXIST',
    link(arrived, file).then(() => true),
  );
  if (!isNew) await rename(arrived, file);
  return isNew ? time : undefined;
}

type MayGo = (file: string) => Promise<boolean>;

/** File systems have no conditional delete: the file is moved aside, checked again, and put back if it must stay. */
async function removeIf(file: string, aside: string, mayGo: MayGo): Promise<boolean> {
  if (!(await mayGo(file))) return false;
  await mkdir(dirname(aside), { recursive: true, mode: 0o700 });
  if (!(await ifThere(rename(file, aside).then(() => true)))) return false;
  if (await mayGo(aside)) {
    await rm(aside, { force: true });
    return true;
  }
  // May overwrite a newer copy: it is the same document. If the file is no longer aside, a starting process has put it back.
  await ifThere(putBack(aside, file));
  return false;
}

/** Renews the time first, so that neither its writer nor the clean-up removes a file that other rows need. */
async function putBack(aside: string, file: string): Promise<void> {
  const now = new Date();
  await utimes(aside, now, now);
  await rename(aside, file);
}

/** Restores files that another process, possibly killed, has moved aside. */
async function putBackAll(folder: string, fileOf: (sha256: string) => string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const sha256 = ASIDE.exec(name)?.groups?.['sha256'];
    if (sha256) await putBack(join(folder, name), fileOf(sha256)).catch(() => {});
  }
}

async function* filesIn(folder: string): AsyncGenerator<KeptContent> {
  try {
    for (const half of (await ifThere(readdir(folder))) ?? [])
      for (const sha256 of /^[0-9a-f]{2}$/.test(half) ? await readdir(join(folder, half)) : []) {
        const found = DIGEST.test(sha256) ? await ifThere(stat(join(folder, half, sha256))) : undefined;
        if (found) yield { sha256, sizeBytes: Math.max(found.size - SEAL_HEAD_BYTES, 0), storedAt: found.mtime };
      }
  } catch (error) {
    throw withoutPath(error);
  }
}

/** In fractional milliseconds; undefined when the file is gone. */
async function timeOf(file: string): Promise<number | undefined> {
  return (await ifThere(stat(file)))?.mtimeMs;
}

async function beginsWith(file: string, head: Buffer): Promise<boolean> {
  const handle = await ifThere(open(file));
  if (!handle) return false;
  try {
    const { buffer } = await handle.read(Buffer.alloc(SEAL_HEAD_BYTES), 0, SEAL_HEAD_BYTES, 0);
    return buffer.equals(head);
  } finally {
    await handle.close();
  }
}

/** @throws UnreadableDocument, ProviderUnavailable */
async function* readSealed(file: string): AsyncGenerator<Uint8Array> {
  // Retried once: the file may have been moved aside for a moment.
  const handle = await onDisk(ifThere(open(file)).then((found) => found ?? ifThere(open(file))));
  if (!handle) throw gone();
  try {
    yield* handle.createReadStream();
  } catch (error) {
    throw withoutPath(error);
  }
}

function ifThere<Found>(looking: Promise<Found>): Promise<Found | undefined> {
  return unless('ENOENT', looking);
}

/** Maps the expected failure to undefined. */
async function unless<Done>(code: string, work: Promise<Done>): Promise<Done | undefined> {
  return work.catch((error: unknown) => {
    if (hasCode(error, code)) return undefined;
    throw error;
  });
}
