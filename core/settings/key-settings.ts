import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hasCode } from '../errors.ts';
import { type KeyRing, keyRing } from '../secrets/key-ring.ts';
import { randomSecret } from '../secrets/secrets.ts';
import { type TokenKeys, tokenKeys } from '../secrets/token-keys.ts';
import { ConfigError } from './config-error.ts';
import { optional, readerOf, text } from './setting.ts';

export interface Keys {
  /** Sign and verify access tokens. */
  token: TokenKeys;
  /** Encrypt tenant data and webhook secrets, and sign the links of hosted flows. */
  encryption: KeyRing;
}

export const KEY_HINT = `A key is 32 bytes in base64. Make one: node -e "console.log(require('crypto').randomBytes(32).toString('base64'))"`;

export const keySettings = {
  TOKEN_KEY: optional(
    text,
    'Signs access tokens: 32 bytes in base64 ([change it](change-keys.md#token-key)).',
    'generated in the sandbox',
  ),
  FORMER_TOKEN_KEYS: optional(text, 'During a change: keys that only verify.'),
  ENCRYPTION_KEY: optional(
    text,
    'Encrypts secrets, documents, results, event bodies and pending links; signs links: 32 bytes in base64 ([change it](change-keys.md#encryption-key)). Store it apart from the database.',
    'generated in the sandbox',
  ),
  FORMER_ENCRYPTION_KEYS: optional(text, 'During a change: keys that only decrypt.'),
};

/** A configured key and the setting it came from. */
interface GivenKey {
  name: string;
  key: Buffer;
}

/**
 * Appends problems to `faults`. Live rejects a key that could be guessed, or that serves two purposes.
 * @returns a function that generates the sandbox's missing keys, once there are no faults
 */
export function readKeys(
  env: NodeJS.ProcessEnv,
  mode: 'sandbox' | 'live',
  dataDir: string,
  faults: string[],
): () => Keys {
  const token = readKey('TOKEN_KEY', env, faults);
  const encryption = readKey('ENCRYPTION_KEY', env, faults);
  const formerToken = readFormerKeys('FORMER_TOKEN_KEYS', env, faults);
  const formerEncryption = readFormerKeys('FORMER_ENCRYPTION_KEYS', env, faults);
  if (mode === 'live') {
    const missing = ['TOKEN_KEY', 'ENCRYPTION_KEY'].filter((name) => !env[name]);
    faults.push(...missing.map((name) => `${name} is missing; live does not generate keys.`));
    const ofTokens = [...named('TOKEN_KEY', token), ...named('FORMER_TOKEN_KEYS', ...formerToken)];
    const current = named('ENCRYPTION_KEY', encryption);
    // Weak former encryption keys stay allowed: without them, what they sealed could not be resealed.
    faults.push(...weakKeys([...ofTokens, ...current]));
    faults.push(...sharedKeys(ofTokens, [...current, ...named('FORMER_ENCRYPTION_KEYS', ...formerEncryption)]));
  }
  return () => ({
    token: tokenKeys(keyRing(token ?? keptKey(dataDir, 'token.key'), formerToken)),
    encryption: keyRing(encryption ?? keptKey(dataDir, 'encryption.key'), formerEncryption),
  });
}

function named(name: string, ...keys: (Buffer | undefined)[]): GivenKey[] {
  return keys.flatMap((key) => (key?.length === KEY_BYTES ? [{ name, key }] : []));
}

const KEY_BYTES = 32;
/** 32 random bytes have fewer distinct values, or steps between neighbours, in fewer than one of 10^16 keys; text and patterns often do. */
const MIN_DISTINCT = 16;

const LINE_ENDS = [0x0a, 0x0d];

function weakKeys(keys: readonly GivenKey[]): string[] {
  return keys
    .filter(({ key }) => isGuessable(key))
    .map(({ name }) => `${name} holds a key that can be guessed: text or a pattern, not random bytes. Replace it.`);
}

function isGuessable(key: Buffer): boolean {
  const steps = Array.from(key, (byte, place) => (byte - (key[place - 1] ?? 0)) & 0xff);
  const isText = key.every((byte) => (byte >= 0x20 && byte < 0x7f) || LINE_ENDS.includes(byte));
  const isRepeated = key.subarray(0, KEY_BYTES / 2).equals(key.subarray(KEY_BYTES / 2));
  return isText || isRepeated || [key, steps].some((values) => new Set(values).size < MIN_DISTINCT);
}

function sharedKeys(ofTokens: readonly GivenKey[], ofEncryption: readonly GivenKey[]): string[] {
  const shared = ofTokens.flatMap(({ name, key }) =>
    ofEncryption
      .filter((other) => other.key.equals(key))
      .map((other) => `${name} and ${other.name} hold the same key. Use a separate key for tokens.`),
  );
  return [...new Set(shared)];
}

function readKey(name: keyof typeof keySettings, env: NodeJS.ProcessEnv, faults: string[]): Buffer | undefined {
  const given = readerOf(keySettings, env, faults)(name);
  if (!given) return undefined;
  const key = Buffer.from(given, 'base64');
  if (key.length !== 32) faults.push(`${name} is not 32 bytes in base64.`);
  return key;
}

function readFormerKeys(name: keyof typeof keySettings, env: NodeJS.ProcessEnv, faults: string[]): Buffer[] {
  const given = readerOf(keySettings, env, faults)(name);
  const texts = given ? given.split(',').map((key) => key.trim()) : [];
  // Strict, because Node ignores whatever follows the padding, such as a second key.
  if (!texts.every((key) => /^[\w+/-]{43}=?$/.test(key)))
    faults.push(`${name} must hold keys of 32 bytes in base64, with commas between them.`);
  return texts.map((key) => Buffer.from(key, 'base64'));
}

/** The length of an operator's RSA key: 128 bits of security in live (NIST SP 800-57, part 1, table 2). */
export function minRsaBits(mode: 'sandbox' | 'live'): number {
  return mode === 'live' ? 3072 : 2048;
}

/** A sandbox key, generated on the first start and kept in the data folder with owner-only permissions. */
function keptKey(dataDir: string, name: string): Buffer {
  const file = join(dataDir, 'keys', name);
  if (!existsSync(file)) keepNewKey(file);
  const key = Buffer.from(readFileSync(file, 'utf8'), 'base64url');
  if (key.length !== 32) throw new ConfigError([`${file} does not hold a key.`]);
  return key;
}

function keepNewKey(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Written to a temporary file and linked: a concurrent reader, or one after a crash, always finds a complete key.
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, randomSecret(), { mode: 0o600, flush: true });
  try {
    linkSync(unfinished, file);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    unlinkSync(unfinished);
  }
}
