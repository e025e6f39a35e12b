import { setTimeout as delay } from 'node:timers/promises';
import * as jose from 'jose';
import type { ServerMetadata } from 'openid-client';
import { ProviderUnavailable } from '../../core/errors.ts';
import type { DecryptionKey, OpenIdConnectSettings } from '../../core/settings/eid-settings.ts';
import { isRecord, parsedJson } from '../../core/text.ts';
import { boundedFetch } from '../outbound/bounded-fetch.ts';
import { conformClaims, withoutNulls } from './openid-answers.ts';

/** A token that its provider did not issue for this flow. The message is the part that shows it. */
export class ForgedToken extends Error {}

/** Waits before each look at the published keys: a provider may sign with a key that its caches do not show yet. */
const KEY_DELAYS_MS = [0, 1_000, 2_000];
const KEYS_TIMEOUT_MS = 10_000;

type Issuer = Pick<ServerMetadata, 'jwks_uri'>;
type Reading = Pick<OpenIdConnectSettings, 'decryptionKeys' | 'allowHttp'>;

/**
 * Decrypts a token and verifies its signature, which TLS alone would not need, because the claims are kept as evidence. Its claims are
 * then put in the specified form; openid-client judges them.
 * @returns a token to be read without its signature
 * @throws ForgedToken
 * @throws ProviderUnavailable when the token cannot be read for the provider's reasons
 */
export async function readToken(
  token: string,
  issuer: Issuer,
  { decryptionKeys = [], allowHttp }: Reading,
): Promise<string> {
  const signed = token.split('.').length === 5 ? await decrypt(token, decryptionKeys) : token;
  const claims = parsedJson(new TextDecoder().decode(await verify(signed, issuer, allowHttp)));
  if (!isRecord(claims)) throw new ProviderUnavailable("The provider's token carries no claims.");
  const [header, , signature] = signed.split('.');
  return [header, jose.base64url.encode(JSON.stringify(conformClaims(claims))), signature].join('.');
}

/** The same for the token of a sign-in, which was issued for another one when it lacks the nonce of this one. */
export async function readIdToken(token: string, issuer: Issuer, reading: Reading): Promise<string> {
  const read = await readToken(token, issuer, reading);
  if (jose.decodeJwt(read)['nonce'] === undefined) throw new ForgedToken('nonce');
  return read;
}

async function decrypt(token: string, keys: readonly DecryptionKey[]): Promise<string> {
  if (keys.length === 0)
    throw new ProviderUnavailable('The provider encrypts its tokens, and EID_DECRYPTION_KEY is not set.');
  const { kid } = headerOf(token);
  const named = keys.filter((key) => key.kid !== undefined && key.kid === kid);
  for (const { key } of named.length > 0 ? named : keys) {
    const decrypted = await jose.compactDecrypt(token, key).catch(() => undefined);
    if (decrypted) return new TextDecoder().decode(decrypted.plaintext);
  }
  throw new ProviderUnavailable('EID_DECRYPTION_KEY does not decrypt the tokens of the provider.');
}

/** @returns the payload */
async function verify(signed: string, issuer: Issuer, allowHttp: boolean): Promise<Uint8Array> {
  const { alg, kid } = headerOf(signed);
  if (alg === 'none') throw new ForgedToken('signature');
  const signal = AbortSignal.timeout(KEYS_TIMEOUT_MS);
  let fault: unknown;
  for (const delayMs of KEY_DELAYS_MS) {
    await delay(delayMs);
    try {
      const keys = await publishedKeys(issuer, { allowHttp }, signal);
      // A key without an identifier may be the one that the token names.
      const candidates = kid === undefined ? keys : keys.map((key) => ({ kid, ...key }));
      return await verifyWith(signed, jose.createLocalJWKSet({ keys: candidates }));
    } catch (error) {
      if (!mayPass(error)) throw unverifiable(error, alg);
      fault = error;
    }
  }
  throw unverifiable(fault, alg);
}

/** What another look at the keys may change. A new key may have the identifier of an old one, or none. */
function mayPass(error: unknown): boolean {
  return [ProviderUnavailable, jose.errors.JWKSNoMatchingKey, jose.errors.JWSSignatureVerificationFailed].some(
    (kind) => error instanceof kind,
  );
}

function unverifiable(error: unknown, alg: unknown): Error {
  if (error instanceof ProviderUnavailable) return error;
  if (error instanceof jose.errors.JWSSignatureVerificationFailed) return new ForgedToken('signature');
  if (error instanceof jose.errors.JWKSNoMatchingKey)
    return new ProviderUnavailable('The provider has not published the key with which it signs.');
  if (error instanceof jose.errors.JOSENotSupported && typeof alg === 'string' && /^HS\d+$/.test(alg))
    return new ProviderUnavailable(`The provider signs with ${alg}; only signatures of its published keys count.`);
  const code = error instanceof jose.errors.JOSEError ? error.code : 'unknown';
  return new ProviderUnavailable(`The provider's token cannot be verified (${code}).`);
}

/** Tries each key that fits: keys may have no identifier. */
async function verifyWith(signed: string, keys: ReturnType<typeof jose.createLocalJWKSet>): Promise<Uint8Array> {
  try {
    return (await jose.compactVerify(signed, keys)).payload;
  } catch (error) {
    if (!(error instanceof jose.errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      const verified = await jose.compactVerify(signed, key).catch(() => undefined);
      if (verified) return verified.payload;
    }
    throw new jose.errors.JWSSignatureVerificationFailed();
  }
}

/** @throws ProviderUnavailable when there are none */
export async function publishedKeys(
  { jwks_uri }: Issuer,
  { allowHttp }: Pick<Reading, 'allowHttp'>,
  signal = AbortSignal.timeout(KEYS_TIMEOUT_MS),
): Promise<PublishedKey[]> {
  const address = URL.parse(jwks_uri ?? '');
  if (!address || !(allowHttp ? ['http:', 'https:'] : ['https:']).includes(address.protocol))
    throw new ProviderUnavailable("The provider's metadata names no place of its keys.");
  const answer = await boundedFetch(address.href, { headers: { accept: 'application/json' }, signal });
  const body = withoutNulls(parsedJson(await answer.text()));
  const keys = isRecord(body) && Array.isArray(body['keys']) ? body['keys'].filter(isJwk) : [];
  if (keys.length === 0) throw new ProviderUnavailable(`The provider publishes no keys (${answer.status}).`);
  return keys;
}

type PublishedKey = jose.JWK & { kty: string };

function isJwk(key: unknown): key is PublishedKey {
  return isRecord(key) && typeof key['kty'] === 'string';
}

function headerOf(token: string): jose.ProtectedHeaderParameters {
  try {
    return jose.decodeProtectedHeader(token);
  } catch {
    throw new ProviderUnavailable("The provider's token cannot be read.");
  }
}
