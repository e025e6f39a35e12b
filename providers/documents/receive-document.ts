import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../../core/ids.ts';
import type { KeyRing } from '../../core/secrets/key-ring.ts';
import { SEAL_HEAD_BYTES, startSealing } from '../../core/secrets/sealing.ts';
import { DAY_MS } from '../../core/time.ts';
import { onDisk } from './disk.ts';
import { BEGINNING_BYTES, mediaTypeOf } from './media-type.ts';
import { UnacceptableDocument } from './port.ts';

/** How both stores receive documents. */
export interface Receiving {
  /** Holds incoming documents, encrypted, until they are complete. */
  folder: string;
  keys: KeyRing;
  limitMib: number;
}

/** A completely received document, in its own encrypted file. */
export interface ReceivedDocument {
  file: string;
  /** The first bytes of the file, unique even among files of the same document. */
  head: Buffer;
  sha256: string;
  sizeBytes: number;
  mediaType: string;
}

const MIB = 1024 * 1024;
const LEFT_OVER_AFTER_MS = DAY_MS;
/** The format of `newId`. */
const ARRIVING = /^[0-9a-f-]{36}$/;

/**
 * Encrypts an incoming document into a temporary file, which the caller moves or removes.
 * @throws UnacceptableDocument, ProviderUnavailable, and the errors of the content; nothing is left behind then
 */
export async function receiveDocument(
  content: AsyncIterable<Uint8Array>,
  { folder, keys, limitMib }: Receiving,
): Promise<ReceivedDocument> {
  await onDisk(mkdir(folder, { recursive: true, mode: 0o700 }));
  const file = join(folder, newId());
  try {
    const handle = await onDisk(open(file, 'wx', 0o600));
    try {
      return { file, ...(await sealInto(handle, content, keys.current, limitMib)) };
    } finally {
      await handle.close();
    }
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}

async function sealInto(
  handle: FileHandle,
  content: AsyncIterable<Uint8Array>,
  key: Uint8Array,
  limitMib: number,
): Promise<Omit<ReceivedDocument, 'file'>> {
  const sealing = startSealing(key);
  const hash = createHash('sha256');
  const beginning = Buffer.alloc(BEGINNING_BYTES);
  let sizeBytes = 0;
  await onDisk(handle.writeFile(Buffer.alloc(SEAL_HEAD_BYTES)));
  for await (const piece of content) {
    if (sizeBytes < BEGINNING_BYTES) beginning.set(piece.subarray(0, BEGINNING_BYTES - sizeBytes), sizeBytes);
    sizeBytes += piece.length;
    if (sizeBytes > limitMib * MIB)
      throw new UnacceptableDocument(
        'large',
        `The document is larger than ${limitMib} MiB, the most that one may have.`,
      );
    hash.update(piece);
    await onDisk(handle.writeFile(sealing.update(piece)));
  }
  if (sizeBytes === 0) throw new UnacceptableDocument('empty', 'The document is empty.');
  const head = sealing.finish();
  await onDisk(handle.write(head, 0, head.length, 0));
  await onDisk(handle.sync());
  const mediaType = await mediaTypeOf(beginning.subarray(0, sizeBytes), sizeBytes <= BEGINNING_BYTES);
  return { head, sha256: hash.digest('hex'), sizeBytes, mediaType };
}

/** Removes incomplete files of killed processes, after a day. */
export async function removeLeftovers({ folder }: Receiving): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const file of names.filter((name) => ARRIVING.test(name)).map((name) => join(folder, name))) {
    const found = await stat(file).catch(() => undefined);
    // Best effort: the folder may be mounted read-only.
    if (found?.isFile() && found.mtimeMs < Date.now() - LEFT_OVER_AFTER_MS) await rm(file).catch(() => {});
  }
}
