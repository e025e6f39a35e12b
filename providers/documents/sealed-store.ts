import { rm } from 'node:fs/promises';
import { onDisk } from './disk.ts';
import type { DocumentStore } from './port.ts';
import { documentOpenedBy, readDocument } from './read-document.ts';
import { type ReceivedDocument, type Receiving, receiveDocument } from './receive-document.ts';

/** Where a store keeps its encrypted documents. */
interface SealedPlaces {
  /** Copies or moves the received file. @returns what discards the stored bytes again */
  keep(received: ReceivedDocument): Promise<() => Promise<void>>;
  /** Streams the stored bytes from the beginning on each call. */
  read(sha256: string): AsyncIterable<Uint8Array>;
}

/** The part of a store that encrypts and decrypts, wherever it keeps the bytes. */
export function sealedStore(
  receiving: Receiving,
  { keep, read }: SealedPlaces,
): Pick<DocumentStore, 'put' | 'get' | 'openedBy' | 'reseal'> {
  const get = (sha256: string) => readDocument(() => read(sha256), sha256, receiving.keys);
  const put = async (
    content: AsyncIterable<Uint8Array>,
    announce = async (_sha256: string) => {},
    limitMib = receiving.limitMib,
  ) => {
    const received = await receiveDocument(content, { ...receiving, limitMib });
    const { file, sha256, sizeBytes, mediaType } = received;
    try {
      await announce(sha256);
      return { sha256, sizeBytes, mediaType, discard: await keep(received) };
    } finally {
      await onDisk(rm(file, { force: true }));
    }
  };
  return {
    put: (content, announce) => put(content, announce),
    get,
    openedBy: (sha256) => documentOpenedBy(() => read(sha256), sha256, receiving.keys),
    // It was accepted earlier, possibly under a higher limit.
    reseal: (sha256) => put(get(sha256), undefined, Number.POSITIVE_INFINITY),
  };
}
