import { Unreadable } from '../../model.ts';

/** The algorithms of signatures, by their object identifiers. */

const HASHES: Record<string, string> = {
  '1.2.840.113549.2.5': 'md5',
  '1.3.14.3.2.26': 'sha1',
  '1.3.36.3.2.1': 'ripemd160',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.8': 'sha3-256',
  '2.16.840.1.101.3.4.2.9': 'sha3-384',
  '2.16.840.1.101.3.4.2.10': 'sha3-512',
};
/** Signature algorithms that include a hash; the others use the signer's. */
const HASHES_OF_SIGNATURES: Record<string, string> = {
  '1.2.840.113549.1.1.4': 'md5',
  '1.2.840.113549.1.1.5': 'sha1',
  '1.2.840.113549.1.1.14': 'sha224',
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.2.840.10045.4.1': 'sha1',
  '1.2.840.10045.4.3.1': 'sha224',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
  '2.16.840.1.101.3.4.3.9': 'sha3-224',
  '2.16.840.1.101.3.4.3.10': 'sha3-256',
  '2.16.840.1.101.3.4.3.11': 'sha3-384',
  '2.16.840.1.101.3.4.3.12': 'sha3-512',
  '2.16.840.1.101.3.4.3.13': 'sha3-224',
  '2.16.840.1.101.3.4.3.14': 'sha3-256',
  '2.16.840.1.101.3.4.3.15': 'sha3-384',
  '2.16.840.1.101.3.4.3.16': 'sha3-512',
  '1.3.36.3.3.1.2': 'ripemd160',
};
/** ECDSA whose value is the two numbers one after the other, without DER (BSI TR-03111, 5.2.1). */
const HASHES_OF_PLAIN_ECDSA: Record<string, string> = {
  '0.4.0.127.0.7.1.1.4.1.1': 'sha1',
  '0.4.0.127.0.7.1.1.4.1.2': 'sha224',
  '0.4.0.127.0.7.1.1.4.1.3': 'sha256',
  '0.4.0.127.0.7.1.1.4.1.4': 'sha384',
  '0.4.0.127.0.7.1.1.4.1.5': 'sha512',
  '0.4.0.127.0.7.1.1.4.1.6': 'ripemd160',
  '0.4.0.127.0.7.1.1.4.1.8': 'sha3-224',
  '0.4.0.127.0.7.1.1.4.1.9': 'sha3-256',
  '0.4.0.127.0.7.1.1.4.1.10': 'sha3-384',
  '0.4.0.127.0.7.1.1.4.1.11': 'sha3-512',
};
/** Algorithms that name no hash: RSA, DSA and keys on elliptic curves. */
const WITHOUT_HASH = new Set(['1.2.840.113549.1.1.1', '1.2.840.10040.4.1', '1.2.840.10045.2.1']);
export const PSS = '1.2.840.113549.1.1.10';
const ED25519 = '1.3.101.112';
const ED448 = '1.3.101.113';

export function isEdwards(algorithm: string): boolean {
  return algorithm === ED25519 || algorithm === ED448;
}

/** @throws Unreadable for an unknown hash */
export function hashNamed(identifier: string): string {
  const name = HASHES[identifier];
  if (name === undefined)
    throw new Unreadable(`A signature uses a hash that is not supported (${identifier.slice(0, 40)}).`);
  return name;
}

/** @throws Unreadable for an unknown algorithm: a signature that cannot be checked is no wrong one */
export function hashOfSignature(algorithm: string, ofDigest: string): string {
  const own = HASHES_OF_SIGNATURES[algorithm] ?? HASHES_OF_PLAIN_ECDSA[algorithm];
  if (own !== undefined) return own;
  if (algorithm === PSS || WITHOUT_HASH.has(algorithm)) return hashNamed(ofDigest);
  throw new Unreadable(`A signature uses an algorithm that is not supported (${algorithm.slice(0, 40)}).`);
}

/** Some signing devices write the plain form and name an algorithm of the other one; only DER begins with a sequence of that length. */
export function formsOf(algorithm: string, value: Uint8Array): ('der' | 'ieee-p1363')[] {
  const isDer = value[0] === 0x30 && value[1] === value.length - 2;
  if (algorithm in HASHES_OF_PLAIN_ECDSA) return ['ieee-p1363'];
  return isDer || value.length % 2 === 1 ? ['der'] : ['der', 'ieee-p1363'];
}
