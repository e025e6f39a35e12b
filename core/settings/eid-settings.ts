import { createPrivateKey, type KeyObject } from 'node:crypto';
import { writtenFault } from '../addresses/written-fault.ts';
import { isRecord, parsedJson } from '../text.ts';
import { oneOf, optional, readerOf, setting, text } from './setting.ts';

export type EidSettings = { provider: 'sandbox' } | ({ provider: 'oidc' } & OpenIdConnectSettings);

export interface OpenIdConnectSettings {
  issuer: URL;
  clientId: string;
  clientSecret: string;
  /** Separated by spaces. */
  scopes: string;
  /** The provider must assert one of these assurance levels; an empty list accepts any. */
  acrValues: readonly string[];
  /** The `claims` parameter, requested in addition to the scopes (OpenID Connect Core, section 5.5), as JSON. */
  claims: string | undefined;
  /** Decrypt tokens that the provider encrypts; absent when it encrypts none. */
  decryptionKeys?: readonly DecryptionKey[];
  /** Allows a provider without TLS. */
  allowHttp: boolean;
}

export interface DecryptionKey {
  kid: string | undefined;
  key: KeyObject;
}

export const eidProvider = {
  EID_PROVIDER: setting(
    oneOf('sandbox', 'oidc'),
    'sandbox',
    'Provider of national identities: simulated, or [OpenID Connect](#national-eid-with-openid-connect).',
  ),
};

export const eidSettings = {
  EID_ISSUER: optional(text, 'Issuer, as in its metadata.'),
  EID_CLIENT_ID: optional(text, 'Client id from the provider.'),
  EID_CLIENT_SECRET: optional(text, 'Client secret from the provider.'),
  EID_SCOPES: setting(text, 'openid profile', 'Scopes, space-separated.'),
  EID_ACR_VALUES: optional(text, 'Accepted assurance levels, space-separated. Unset: any.'),
  EID_CLAIMS: optional(text, 'JSON of the `claims` parameter, needed to get documents as `verified_claims`.'),
  EID_DECRYPTION_KEY: optional(
    text,
    'Private JSON Web Key, or set of keys, of a client whose ID token or claims are encrypted.',
  ),
};

/** The provider of national identities. Appends problems to `faults`. */
export function readEid(env: NodeJS.ProcessEnv, mode: 'sandbox' | 'live', faults: string[]): EidSettings {
  const provider = readerOf(eidProvider, env, faults)('EID_PROVIDER');
  if (provider === 'sandbox') return { provider };
  const read = readerOf(eidSettings, env, faults);
  const scopes = words(read('EID_SCOPES'));
  if (!scopes.includes('openid')) faults.push('EID_SCOPES must contain openid.');
  const allowHttp = mode === 'sandbox';
  const decryptionKeys = readDecryptionKeys(read('EID_DECRYPTION_KEY'), faults);
  return {
    provider,
    issuer: readIssuer(read('EID_ISSUER'), allowHttp, faults),
    clientId: required('EID_CLIENT_ID', read('EID_CLIENT_ID'), faults),
    clientSecret: required('EID_CLIENT_SECRET', read('EID_CLIENT_SECRET'), faults),
    scopes: scopes.join(' '),
    acrValues: words(read('EID_ACR_VALUES') ?? ''),
    claims: readClaims(read('EID_CLAIMS'), faults),
    ...(decryptionKeys.length > 0 ? { decryptionKeys } : {}),
    allowHttp,
  };
}

function readClaims(text: string | undefined, faults: string[]): string | undefined {
  if (!text) return undefined;
  const claims = parsedJson(text);
  if (isRecord(claims)) return JSON.stringify(claims);
  faults.push('EID_CLAIMS is not a JSON object, such as {"userinfo":{"birthdate":null}}.');
  return undefined;
}

/** Several keys, while one replaces another. */
function readDecryptionKeys(text: string | undefined, faults: string[]): DecryptionKey[] {
  if (!text) return [];
  const given = parsedJson(text);
  const set = isRecord(given) && Array.isArray(given['keys']) ? given['keys'] : [given];
  const keys = set.map(decryptionKey).filter((key) => key !== undefined);
  if (keys.length === set.length && keys.length > 0) return keys;
  faults.push(
    'EID_DECRYPTION_KEY is not a private JSON Web Key (RSA, EC or OKP), such as {"kty":"EC","crv":"P-256","x":…,"y":…,"d":…}, nor a set of them.',
  );
  return [];
}

function decryptionKey(jwk: unknown): DecryptionKey | undefined {
  if (!isRecord(jwk)) return undefined;
  try {
    const { kid } = jwk;
    return { kid: typeof kid === 'string' ? kid : undefined, key: createPrivateKey({ key: jwk, format: 'jwk' }) };
  } catch {
    return undefined;
  }
}

function required(name: string, value = '', faults: string[]): string {
  if (!value) faults.push(`${name} is missing; EID_PROVIDER=oidc needs it.`);
  return value;
}

/** Rejects a metadata document's address: with it as issuer, the issuer of the metadata would go unchecked. */
function readIssuer(text: string | undefined, allowHttp: boolean, faults: string[]): URL {
  const url = URL.parse(text ?? '');
  const scheme = url?.protocol === 'https:' || (allowHttp && url?.protocol === 'http:');
  const bare = url && !url.search && !url.hash && !url.username && !url.password;
  if (url && scheme && bare && !url.pathname.includes('/.well-known/')) return url;
  if (!text) faults.push('EID_ISSUER is missing; EID_PROVIDER=oidc needs it.');
  else {
    const kind = allowHttp ? 'http or https' : 'https';
    const whole = `must be the ${kind} address of the issuer, without query, credentials or /.well-known/`;
    faults.push(`EID_ISSUER ${writtenFault('uri', text) ?? whole}.`);
  }
  return new URL('https://issuer.invalid');
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
