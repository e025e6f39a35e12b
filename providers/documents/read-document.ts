import { createHash } from 'node:crypto';
import { type KeyRing, keysOf } from '../../core/secrets/key-ring.ts';
import { BrokenSeal, headFirst, ReplacedSeal, startUnsealing, unsealStream } from '../../core/secrets/sealing.ts';
import { MissingDocument, UnreadableDocument } from './port.ts';

/** Reads the stored bytes from the beginning on each call. */
type ReadSealed = () => AsyncIterable<Uint8Array>;

/**
 * Decrypts stored bytes. Whether a key is right shows only at the end: with several keys, a first pass finds it, and is repeated when
 * the bytes were replaced in between.
 * @throws UnreadableDocument before the end, and the errors of the sealed stream
 */
export async function* readDocument(read: ReadSealed, sha256: string, ring: KeyRing): AsyncGenerator<Buffer> {
  if (ring.former.length === 0) return yield* readWith(read(), sha256, ring.current);
  for (;;) {
    const { key, head } = await findOpening(read(), sha256, ring);
    try {
      return yield* readWith(read(), sha256, key, head);
    } catch (error) {
      if (!(error instanceof ReplacedSeal)) throw error;
    }
  }
}

/** @throws UnreadableDocument, and the errors of the sealed stream */
export async function documentOpenedBy(read: ReadSealed, sha256: string, ring: KeyRing): Promise<number> {
  return (await findOpening(read(), sha256, ring)).openedBy;
}

/** Also checks the digest: another document in its place would be authentic too. */
async function* readWith(
  sealed: AsyncIterable<Uint8Array>,
  sha256: string,
  key: Uint8Array,
  head?: Uint8Array,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  try {
    for await (const piece of unsealStream(sealed, key, head)) {
      hash.update(piece);
      yield piece;
    }
  } catch (error) {
    throw error instanceof BrokenSeal ? changed() : error;
  }
  if (hash.digest('hex') !== sha256) throw changed();
}

/** The key of stored bytes, and the head that identifies them. */
async function findOpening(sealed: AsyncIterable<Uint8Array>, sha256: string, ring: KeyRing) {
  let head: Uint8Array | undefined;
  let trials: ReturnType<typeof startTrial>[] = [];
  for await (const piece of headFirst(sealed)) {
    if (head) for (const { update } of trials) update(piece);
    else {
      head = piece;
      trials = keysOf(ring).map((key) => startTrial(piece, key));
    }
  }
  const openedBy = trials.findIndex(({ isRight }) => isRight(sha256));
  const key = keysOf(ring)[openedBy];
  if (!head || !key) throw changed();
  return { openedBy, key, head };
}

function startTrial(head: Uint8Array, key: Uint8Array) {
  const opened = startUnsealing(head, key);
  const hash = createHash('sha256');
  return {
    update: (piece: Uint8Array) => void hash.update(opened.update(piece)),
    isRight(sha256: string): boolean {
      try {
        opened.final();
      } catch {
        return false;
      }
      return hash.digest('hex') === sha256;
    },
  };
}

export function gone(): MissingDocument {
  return new MissingDocument('The bytes of the document are gone from the document store.');
}

function changed(): UnreadableDocument {
  return new UnreadableDocument(
    'The stored bytes of the document were changed, or sealed with another ENCRYPTION_KEY.',
  );
}
