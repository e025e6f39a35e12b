import { createHash } from 'node:crypto';
import { BrokenSeal, unsealStream } from '../core/sealing.ts';
import { MissingDocument, UnreadableDocument } from './providers.ts';

/**
 * Decrypts what a store holds under a digest. Another document in its place would be sealed rightly too: the digest is
 * checked as well.
 * @throws UnreadableDocument before the end, and whatever the sealed stream throws
 */
export async function* readDocument(
  sealed: AsyncIterable<Uint8Array>,
  sha256: string,
  key: Uint8Array,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  try {
    for await (const piece of unsealStream(sealed, key)) {
      hash.update(piece);
      yield piece;
    }
  } catch (error) {
    throw error instanceof BrokenSeal ? changed() : error;
  }
  if (hash.digest('hex') !== sha256) throw changed();
}

/** A store looked and found nothing. */
export function gone(): MissingDocument {
  return new MissingDocument('The bytes of the document are gone from the document store.');
}

function changed(): UnreadableDocument {
  return new UnreadableDocument(
    'The stored bytes of the document were changed, or sealed with another ENCRYPTION_KEY.',
  );
}
