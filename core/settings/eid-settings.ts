import { isRecord, parsedJson } from '../text.ts';
import { valuesOf } from './values.ts';

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
  /** Allows a provider without TLS. */
  allowHttp: boolean;
}

/** The provider of national identities. Appends problems to `faults`. */
export function readEid(env: NodeJS.ProcessEnv, mode: 'sandbox' | 'live', faults: string[]): EidSettings {
  const provider = valuesOf(env, faults).oneOf('EID_PROVIDER', ['sandbox', 'oidc'], 'sandbox');
  if (provider === 'sandbox') return { provider };
  const scopes = words(env['EID_SCOPES'] || 'openid profile');
  if (!scopes.includes('openid')) faults.push('EID_SCOPES must contain openid.');
  const allowHttp = mode === 'sandbox';
  return {
    provider,
    issuer: readIssuer(env['EID_ISSUER'], allowHttp, faults),
    clientId: required('EID_CLIENT_ID', env, faults),
    clientSecret: required('EID_CLIENT_SECRET', env, faults),
    scopes: scopes.join(' '),
    acrValues: words(env['EID_ACR_VALUES'] ?? ''),
    claims: readClaims(env['EID_CLAIMS'], faults),
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

function required(name: string, env: NodeJS.ProcessEnv, faults: string[]): string {
  const value = env[name] ?? '';
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
    faults.push(`EID_ISSUER must be the ${kind} address of the issuer, without query, credentials or /.well-known/.`);
  }
  return new URL('https://issuer.invalid');
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
