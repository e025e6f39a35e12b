import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { type Dictionary, entry, numberOf, textOf } from './objects.ts';

const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');

/** The key of the whole file, if it opens without a password (ISO 32000-2, 7.6.4). */
export function fileKey(dictionary: Dictionary, id: Uint8Array): Uint8Array | undefined {
  const revision = numberOf(dictionary.entries.get('R')) ?? 0;
  if (revision >= 2 && revision <= 4) return olderKey(dictionary, id, revision);
  return revision === 5 || revision === 6 ? newerKey(dictionary, revision) : undefined;
}

export function md5(...parts: Uint8Array[]): Buffer {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** OpenSSL 3 provides RC4 only in its legacy provider. */
export function rc4(key: Uint8Array, bytes: Uint8Array): Uint8Array {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const swap = (a: number, b: number) => {
    const held = state[a] ?? 0;
    state[a] = state[b] ?? 0;
    state[b] = held;
  };
  for (let index = 0, other = 0; index < 256; index++) {
    other = (other + (state[index] ?? 0) + (key[index % key.length] ?? 0)) & 255;
    swap(index, other);
  }
  const out = new Uint8Array(bytes.length);
  for (let at = 0, index = 0, other = 0; at < bytes.length; at++) {
    index = (index + 1) & 255;
    other = (other + (state[index] ?? 0)) & 255;
    swap(index, other);
    out[at] = (bytes[at] ?? 0) ^ (state[((state[index] ?? 0) + (state[other] ?? 0)) & 255] ?? 0);
  }
  return out;
}

function bytesOf(dictionary: Dictionary, key: string): Uint8Array {
  return textOf(dictionary.entries.get(key))?.bytes ?? new Uint8Array(0);
}

function olderKey(dictionary: Dictionary, id: Uint8Array, revision: number): Uint8Array | undefined {
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE((numberOf(dictionary.entries.get('P')) ?? 0) | 0);
  const isPlain = revision >= 4 && dictionary.entries.get('EncryptMetadata') === false;
  const length = revision === 2 ? 5 : keyLength(dictionary);
  const owner = bytesOf(dictionary, 'O').subarray(0, 32);
  let key = md5(PADDING, owner, permissions, id, Buffer.alloc(isPlain ? 4 : 0, 0xff)).subarray(0, length);
  for (let round = 0; revision >= 3 && round < 50; round++) key = md5(key).subarray(0, length);
  const compared = revision === 2 ? 32 : 16;
  const user = bytesOf(dictionary, 'U').subarray(0, compared);
  return Buffer.from(userEntry(key, id, revision))
    .subarray(0, compared)
    .equals(user)
    ? key
    : undefined;
}

function keyLength(dictionary: Dictionary): number {
  const filter = entry(entry(dictionary.entries.get('CF'), 'StdCF'), 'Length');
  const written = numberOf(dictionary.entries.get('Length')) ?? numberOf(filter) ?? 128;
  const bits = written < 40 ? written * 8 : written;
  return Math.min(16, Math.max(5, Math.floor(bits / 8)));
}

function userEntry(key: Uint8Array, id: Uint8Array, revision: number): Uint8Array {
  if (revision === 2) return rc4(key, PADDING);
  let entry: Uint8Array = md5(PADDING, id);
  for (let round = 0; round < 20; round++)
    entry = rc4(
      key.map((byte) => byte ^ round),
      entry,
    );
  return entry;
}

function newerKey(dictionary: Dictionary, revision: number): Uint8Array | undefined {
  const user = Buffer.from(bytesOf(dictionary, 'U'));
  const encrypted = bytesOf(dictionary, 'UE').subarray(0, 32);
  if (user.length < 48 || encrypted.length < 32) return undefined;
  const hash = (salt: Uint8Array) => (revision === 5 ? sha(256, salt) : hardened(salt));
  if (!hash(user.subarray(32, 40)).equals(user.subarray(0, 32))) return undefined;
  const decipher = createDecipheriv('aes-256-cbc', hash(user.subarray(40, 48)), Buffer.alloc(16)).setAutoPadding(false);
  return Buffer.concat([decipher.update(encrypted), decipher.final()]);
}

function sha(bits: number, bytes: Uint8Array): Buffer {
  return createHash(`sha${bits}`).update(bytes).digest();
}

/** Algorithm 2.B for an empty password. */
function hardened(salt: Uint8Array): Buffer {
  let key = sha(256, salt);
  for (let round = 0, last = 0; round < 64 || last > round - 32; round++) {
    const repeated = Buffer.concat(Array.from({ length: 64 }, () => key));
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32)).setAutoPadding(false);
    const encrypted = cipher.update(repeated);
    const remainder = encrypted.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    key = sha([256, 384, 512][remainder] ?? 256, encrypted);
    last = encrypted.at(-1) ?? 0;
  }
  return key.subarray(0, 32);
}
