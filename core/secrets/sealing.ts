import {
  type CipherGCM,
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  type DecipherGCM,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The nonce and authentication tag that precede the ciphertext. */
export const SEAL_HEAD_BYTES = NONCE_BYTES + TAG_BYTES;

/** The bytes were modified, or encrypted with another key. */
export class BrokenSeal extends Error {
  constructor(cause?: unknown) {
    super('Sealed with another ENCRYPTION_KEY, or changed.', { cause });
  }
}

/** Streaming AES-256-GCM: `update` encrypts chunks, `finish` returns the head, which is known only at the end. */
export interface Sealing {
  update(plain: Uint8Array): Buffer;
  finish(): Buffer;
}

/** Cached, because creating a key object takes longer than encrypting something short. */
const keyObjects = new WeakMap<Uint8Array, KeyObject>();

export function keyObjectOf(key: Uint8Array): KeyObject {
  const object = keyObjects.get(key) ?? createSecretKey(key);
  keyObjects.set(key, object);
  return object;
}

export function startSealing(key: Uint8Array): Sealing {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher: CipherGCM = createCipheriv('aes-256-gcm', keyObjectOf(key), nonce);
  return {
    update: (plain) => cipher.update(plain),
    finish() {
      // GCM is a stream mode: final() never returns bytes.
      cipher.final();
      return Buffer.concat([nonce, cipher.getAuthTag()]);
    },
  };
}

/** Decrypts what follows the head. `final` throws unless head, key and every byte are authentic. */
export function startUnsealing(head: Uint8Array, key: Uint8Array): DecipherGCM {
  const nonce = head.subarray(0, NONCE_BYTES);
  const opened = createDecipheriv('aes-256-gcm', keyObjectOf(key), nonce, { authTagLength: TAG_BYTES });
  opened.setAuthTag(head.subarray(NONCE_BYTES, SEAL_HEAD_BYTES));
  return opened;
}

/** Re-chunks a sealed stream so that its head comes first, whole; yields nothing when the stream is shorter than a head. */
export async function* headFirst(sealed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head = Buffer.alloc(0);
  for await (const piece of sealed) {
    const missing = SEAL_HEAD_BYTES - head.length;
    if (missing > 0) {
      head = Buffer.concat([head, piece.subarray(0, missing)]);
      if (head.length === SEAL_HEAD_BYTES) yield head;
    }
    if (piece.length > missing) yield piece.subarray(Math.max(missing, 0));
  }
}

/** The head is not the expected one. Nonces are unique, so the bytes were replaced in the meantime. */
export class ReplacedSeal extends Error {}

/**
 * Decrypts a stream. Its chunks are authenticated only once it has ended.
 * @param expected the required head
 * @throws ReplacedSeal before the first chunk, BrokenSeal before the end, and the errors of the sealed stream
 */
export async function* unsealStream(
  sealed: AsyncIterable<Uint8Array>,
  key: Uint8Array,
  expected?: Uint8Array,
): AsyncGenerator<Buffer> {
  let opened: DecipherGCM | undefined;
  for await (const piece of headFirst(sealed)) {
    if (opened) {
      yield opened.update(piece);
    } else {
      if (expected && Buffer.compare(piece, expected) !== 0) throw new ReplacedSeal();
      opened = startUnsealing(piece, key);
    }
  }
  if (!opened) throw new BrokenSeal();
  try {
    opened.final();
  } catch (cause) {
    throw new BrokenSeal(cause);
  }
}
