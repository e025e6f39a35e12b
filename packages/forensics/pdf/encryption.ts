import { createDecipheriv } from 'node:crypto';
import { Unreadable } from '../model.ts';
import { fileKey, md5, rc4 } from './encryption-key.ts';
import { type Dictionary, dictionaryOf, entry, nameOf, numberOf, type PdfObject, type Value } from './objects.ts';

type Cipher = 'none' | 'rc4' | 'aes-128' | 'aes-256';

/** Decrypts a file that opens without a password (ISO 32000-2, 7.6), such as one that only forbids printing. */
export interface Decryption {
  /** Decrypts the texts in an object's value, in place. */
  texts(object: PdfObject): void;
  data(object: PdfObject, data: Uint8Array): Uint8Array;
}

/**
 * @param dictionary the encryption dictionary; references in it are not resolved
 * @param id the first half of the file's identifier
 * @throws Unreadable if the file needs a password or uses unsupported encryption
 */
export function decryptionOf(dictionary: Dictionary, id: Uint8Array): Decryption {
  if (nameOf(dictionary.entries.get('Filter')) !== 'Standard') throw new Unreadable('The file is encrypted.');
  const key = keyOf(dictionary, id);
  if (key === undefined) throw new Unreadable('The file is protected by a password.');
  const version = numberOf(dictionary.entries.get('V')) ?? 0;
  const forTexts = version < 4 ? 'rc4' : cipherNamed(dictionary, 'StrF');
  const forData = version < 4 ? 'rc4' : cipherNamed(dictionary, 'StmF');
  const isMetadataPlain = dictionary.entries.get('EncryptMetadata') === false;
  return {
    texts(object) {
      if (object.container === undefined && nameOf(entry(object.value, 'Type')) !== 'XRef')
        decryptTexts(object.value, (bytes) => decrypt(forTexts, objectKey(key, object, forTexts), bytes));
    },
    data(object, data) {
      const type = nameOf(entry(object.value, 'Type'));
      if (type === 'XRef' || (type === 'Metadata' && isMetadataPlain)) return data;
      return decrypt(forData, objectKey(key, object, forData), data);
    },
  };
}

/** @throws Unreadable */
function keyOf(dictionary: Dictionary, id: Uint8Array): Uint8Array | undefined {
  try {
    return fileKey(dictionary, id);
  } catch {
    throw new Unreadable('The file is encrypted in a way that cannot be read.');
  }
}

function cipherNamed(dictionary: Dictionary, use: string): Cipher {
  const filter = nameOf(dictionary.entries.get(use)) ?? 'Identity';
  const method = nameOf(entry(entry(dictionary.entries.get('CF'), filter), 'CFM'));
  if (method === 'V2') return 'rc4';
  if (method === 'AESV2') return 'aes-128';
  return method === 'AESV3' ? 'aes-256' : 'none';
}

function objectKey(key: Uint8Array, { number, generation }: PdfObject, cipher: Cipher): Uint8Array {
  if (cipher === 'aes-256') return key;
  const tail = Buffer.alloc(5);
  tail.writeUIntLE(number % 2 ** 24, 0, 3);
  tail.writeUIntLE(generation % 2 ** 16, 3, 2);
  const salt = Buffer.from(cipher === 'aes-128' ? 'sAlT' : '');
  return md5(key, tail, salt).subarray(0, Math.min(key.length + 5, 16));
}

function decrypt(cipher: Cipher, key: Uint8Array, bytes: Uint8Array): Uint8Array {
  if (cipher === 'none') return bytes;
  if (cipher === 'rc4') return rc4(key, bytes);
  const length = bytes.length - (bytes.length % 16);
  // The cipher that a file names may not fit the length of its key.
  if (length < 32 || key.length !== (cipher === 'aes-128' ? 16 : 32)) return new Uint8Array(0);
  const decipher = createDecipheriv(cipher === 'aes-128' ? 'aes-128-cbc' : 'aes-256-cbc', key, bytes.subarray(0, 16));
  decipher.setAutoPadding(false);
  const plain = Buffer.concat([decipher.update(bytes.subarray(16, length)), decipher.final()]);
  const padding = plain.at(-1) ?? 0;
  return padding >= 1 && padding <= 16 ? plain.subarray(0, plain.length - padding) : plain;
}

function decryptTexts(value: Value, plain: (bytes: Uint8Array) => Uint8Array): void {
  if (Array.isArray(value)) {
    for (const item of value) decryptTexts(item, plain);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (value.type === 'text') value.bytes = plain(value.bytes);
  const dictionary = dictionaryOf(value);
  if (dictionary === undefined) return;
  // The Contents of a signature are never encrypted (7.6.2).
  const isSignature = dictionary.entries.has('ByteRange');
  for (const [key, item] of dictionary.entries) if (!(isSignature && key === 'Contents')) decryptTexts(item, plain);
}
