import { link, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { SEAL_HEAD_BYTES } from '../../core/secrets/sealing.ts';
import { onDisk, withoutPath } from './on-disk.ts';
import type { DocumentStore, KeptContent } from './port.ts';
import { documentOpenedBy, gone, readDocument } from './read-document.ts';
import {
  type ReceivedDocument,
  type Receiving,
  receiveDocument,
  removeLeftovers,
  withoutLimit,
} from './receive-document.ts';

const DIGEST = /^[0-9a-f]{64}$/;
/** A document that was moved aside: its digest, and what tells it from others of the same digest. */
const ASIDE = /^(?<sha256>[0-9a-f]{64})\.[0-9a-f-]{36}$/;

/**
 * Documents in a local folder, encrypted with the service's key and named by the digest of what they hold. Each put seals
 * anew and leaves its own file there, so that whoever takes a file back sees whether it is still theirs. A file that was
 * moved aside and put back is nobody's: its time is another.
 */
export async function createDocumentFolder(folder: string, receiving: Receiving): Promise<DocumentStore> {
  const fileOf = (sha256: string) => documentFile(folder, sha256);
  const takeAway = (sha256: string, mayGo: MayGo) =>
    onDisk(removeIf(fileOf(sha256), join(receiving.folder, `${sha256}.${newId()}`), mayGo));
  const recover = async () => {
    await putBackAll(receiving.folder, fileOf);
    await removeLeftovers(receiving);
  };
  const sealedAt = (sha256: string) => () => readSealed(fileOf(sha256));
  const get = (sha256: string) => readDocument(sealedAt(sha256), sha256, receiving.keys);
  const put = async (content: AsyncIterable<Uint8Array>, arriving: Receiving) => {
    const received = await receiveDocument(content, arriving);
    const { head, sha256, sizeBytes, mediaType } = received;
    const created = await onDisk(moveInto(fileOf(sha256), received));
    const isOurs = async (file: string) => (await timeOf(file)) === created && (await beginsWith(file, head));
    const discard = async () => {
      if (created) await takeAway(sha256, isOurs);
    };
    return { sha256, sizeBytes, mediaType, discard };
  };
  await recover();
  return {
    put: (content) => put(content, receiving),
    get,
    openedBy: (sha256) => documentOpenedBy(sealedAt(sha256), sha256, receiving.keys),
    reseal: (sha256) => put(get(sha256), withoutLimit(receiving)),
    kept: () => filesIn(folder),
    removeOld: (sha256, storedBefore) =>
      takeAway(sha256, async (file) => ((await timeOf(file)) ?? Number.POSITIVE_INFINITY) < storedBefore.getTime()),
    recover,
  };
}

/** Where a document lies in the folder. */
export function documentFile(folder: string, sha256: string): string {
  return join(folder, sha256.slice(0, 2), sha256);
}

/** @returns the time of the file when nothing was there before */
async function moveInto(file: string, { file: arrived }: ReceivedDocument): Promise<number | undefined> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const time = await timeOf(arrived);
    const isNew = await unless('EEXIST', link(arrived, file));
    if (!isNew) await rename(arrived, file);
    return isNew ? time : undefined;
  } finally {
    await rm(arrived, { force: true });
  }
}

type MayGo = (file: string) => Promise<boolean>;

/** Nothing removes a file on a condition, so it is moved aside, looked at again, and put back if it may not go. */
async function removeIf(file: string, aside: string, mayGo: MayGo): Promise<boolean> {
  if (!(await mayGo(file))) return false;
  await mkdir(dirname(aside), { recursive: true, mode: 0o700 });
  if (!(await unless('ENOENT', rename(file, aside)))) return false;
  if (await mayGo(aside)) {
    await rm(aside, { force: true });
    return true;
  }
  // Over whatever came meanwhile: the same document, by somebody who does not know that others rely on it. Where it is
  // not aside any more, a process that started just now has put it back.
  await unless('ENOENT', putBack(aside, file));
  return false;
}

/** Made new first, so that neither its creator nor who tidies up takes it away from somebody who relies on it. */
async function putBack(aside: string, file: string): Promise<void> {
  const now = new Date();
  await utimes(aside, now, now);
  await rename(aside, file);
}

/** What a process that was killed had moved aside, or one that is at it just now. */
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

/** In milliseconds, with fractions; undefined when it is gone. */
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
  // A second look: somebody may have moved the file aside just now, and put it back.
  const handle = await onDisk(ifThere(open(file)).then((found) => found ?? ifThere(open(file))));
  if (!handle) throw gone();
  try {
    yield* handle.createReadStream();
  } catch (error) {
    throw withoutPath(error);
  }
}

async function ifThere<Found>(looking: Promise<Found>): Promise<Found | undefined> {
  return looking.catch((error: unknown) => {
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
