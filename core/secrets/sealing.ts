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

/** What precedes the ciphertext of sealed bytes: the nonce, and the tag that proves that nothing was changed. */
export const SEAL_HEAD_BYTES = NONCE_BYTES + TAG_BYTES;

/** The bytes were changed, or sealed with another key. */
export class BrokenSeal extends Error {
  constructor(cause?: unknown) {
    super('Sealed with another ENCRYPTION_KEY, or changed.', { cause });
  }
}

/** AES-256-GCM under way: `update` encrypts piece by piece, and `finish` gives the head, which is known at the end only. */
export interface Sealing {
  update(plain: Uint8Array): Buffer;
  finish(): Buffer;
}

/** Made of a key's bytes once: that takes longer than to encrypt something short. */
const keyObjects = new WeakMap<Uint8Array, KeyObject>();

function keyObjectOf(key: Uint8Array): KeyObject {
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
      // This mode holds nothing back: what was given came out already.
      cipher.final();
      return Buffer.concat([nonce, cipher.getAuthTag()]);
    },
  };
}

/** Decrypts what follows the head. `final` throws unless head, key and every byte were those of the sealing. */
export function startUnsealing(head: Uint8Array, key: Uint8Array): DecipherGCM {
  const nonce = head.subarray(0, NONCE_BYTES);
  const opened = createDecipheriv('aes-256-gcm', keyObjectOf(key), nonce, { authTagLength: TAG_BYTES });
  opened.setAuthTag(head.subarray(NONCE_BYTES, SEAL_HEAD_BYTES));
  return opened;
}

/** A sealed stream in other pieces: the first is its head, and there is none when the stream is shorter than that. */
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

/** Another seal than expected: no two begin alike, so it was replaced since it was looked at. */
export class ReplacedSeal extends Error {}

/**
 * Decrypts a stream. What it yields may be believed once it has ended.
 * @param expected the head that the stream must have
 * @throws ReplacedSeal before anything else, BrokenSeal before the end, and whatever the sealed stream throws
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
