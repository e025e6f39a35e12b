import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hasCode } from '../errors.ts';
import { type KeyRing, keyRing } from '../secrets/key-ring.ts';
import { randomSecret } from '../secrets/secrets.ts';
import { type TokenKeys, tokenKeys } from '../secrets/token-keys.ts';
import { ConfigError } from './config-error.ts';

export interface Keys {
  /** Sign and verify access tokens. */
  token: TokenKeys;
  /** Encrypt tenant data and webhook secrets, and sign the links of hosted flows. */
  encryption: KeyRing;
}

export const KEY_HINT = `A key is 32 bytes in base64. Make one: node -e "console.log(require('crypto').randomBytes(32).toString('base64'))"`;

/** A given key, and the setting that it came from. */
interface GivenKey {
  name: string;
  key: Buffer;
}

/**
 * Appends problems to `faults`. Live takes no key that could be guessed, or that serves two purposes.
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
const LEAST_DISTINCT = 16;

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
  return isText || isRepeated || [key, steps].some((values) => new Set(values).size < LEAST_DISTINCT);
}

function sharedKeys(ofTokens: readonly GivenKey[], ofEncryption: readonly GivenKey[]): string[] {
  const shared = ofTokens.flatMap(({ name, key }) =>
    ofEncryption
      .filter((other) => other.key.equals(key))
      .map((other) => `${name} and ${other.name} hold the same key. Use one of its own for tokens.`),
  );
  return [...new Set(shared)];
}

function readKey(name: string, env: NodeJS.ProcessEnv, faults: string[]): Buffer | undefined {
  const text = env[name];
  if (!text) return undefined;
  const key = Buffer.from(text, 'base64');
  if (key.length !== 32) faults.push(`${name} is not 32 bytes in base64.`);
  return key;
}

function readFormerKeys(name: string, env: NodeJS.ProcessEnv, faults: string[]): Buffer[] {
  const texts = env[name] ? env[name].split(',').map((text) => text.trim()) : [];
  // Strict, because Node ignores whatever follows the padding, such as a second key.
  if (!texts.every((text) => /^[\w+/-]{43}=?$/.test(text)))
    faults.push(`${name} must hold keys of 32 bytes in base64, with commas between them.`);
  return texts.map((text) => Buffer.from(text, 'base64'));
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
