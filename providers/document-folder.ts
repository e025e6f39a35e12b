import { link, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { newId } from '../core/ids.ts';
import { SEAL_HEAD_BYTES } from '../core/sealing.ts';
import type { DocumentStore } from './providers.ts';
import { gone, readDocument } from './read-document.ts';
import { type ReceivedDocument, type Receiving, receiveDocument, removeLeftovers } from './receive-document.ts';

/**
 * Documents in a local folder, encrypted with the service's key and named by the digest of what they hold. Each put seals
 * anew and leaves its own file there, so that whoever takes a file back sees whether it is still theirs.
 */
export async function createDocumentFolder(folder: string, receiving: Receiving): Promise<DocumentStore> {
  const fileOf = (sha256: string) => join(folder, sha256.slice(0, 2), sha256);
  await removeLeftovers(receiving);
  return {
    async put(content) {
      const received = await receiveDocument(content, receiving);
      const { head, sha256, sizeBytes, mediaType } = received;
      const file = fileOf(sha256);
      const isNew = await moveInto(file, received);
      const discard = async () => {
        if (isNew) await takeAway(file, head, receiving.folder);
      };
      return { sha256, sizeBytes, mediaType, discard };
    },
    get: (sha256) => readDocument(readSealed(fileOf(sha256)), sha256, receiving.key),
  };
}

/** @returns whether nothing was there before */
async function moveInto(file: string, { file: arrived }: ReceivedDocument): Promise<boolean> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const isNew = await unless('EEXIST', link(arrived, file));
    if (!isNew) await rename(arrived, file);
    return isNew;
  } finally {
    await rm(arrived, { force: true });
  }
}

/** Nothing removes a file only if it is still ours, so it is moved aside, looked at again, and put back if it is not. */
async function takeAway(file: string, head: Buffer, folder: string): Promise<void> {
  if (!(await beginsWith(file, head))) return;
  const aside = join(folder, newId());
  if (!(await unless('ENOENT', rename(file, aside)))) return;
  // Over whatever came meanwhile: the same document, by somebody who does not know that others rely on it.
  if (await beginsWith(aside, head)) await rm(aside);
  else await rename(aside, file);
}

async function beginsWith(file: string, head: Buffer): Promise<boolean> {
  const handle = await openIfThere(file);
  if (!handle) return false;
  try {
    const { buffer } = await handle.read(Buffer.alloc(SEAL_HEAD_BYTES), 0, SEAL_HEAD_BYTES, 0);
    return buffer.equals(head);
  } finally {
    await handle.close();
  }
}

/** @throws UnreadableDocument */
async function* readSealed(file: string): AsyncGenerator<Uint8Array> {
  // A second look: somebody may have moved the file aside just now, and put it back.
  const handle = (await openIfThere(file)) ?? (await openIfThere(file));
  if (!handle) throw gone();
  yield* handle.createReadStream();
}

async function openIfThere(file: string) {
  return open(file).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  });
}

/** False instead of the failure that is foreseen. */
async function unless(code: string, work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (hasCode(error, code)) return false;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
