import * as client from 'openid-client';
import { ProviderUnavailable } from '../../core/errors.ts';
import type { OpenIdConnectSettings } from '../../core/settings/eid-settings.ts';
import { boundedFetch } from '../outbound/bounded-fetch.ts';
import { type Claims, identityDocuments } from './identity-documents.ts';
import { reasonOf, refuseClaims, unavailable, verdictOn } from './openid-errors.ts';
import type { CallbackOutcome, EidProvider } from './port.ts';

const TIMEOUT_SECONDS = 10;

/** What the callback is checked against. Stored with the attempt: released versions read it under these names. */
interface StoredChecks {
  verifier: string;
  nonce: string;
}

/** Required for the download. */
interface Grant {
  accessToken: string;
  /** Verified claims of the ID token. */
  claims: Claims & { sub: string };
}

type Flow = Required<Pick<EidProvider, 'startAuthorization' | 'handleCallback' | 'documents' | 'check'>>;

/** The steps of a person's flow at the provider. */
export function createOpenIdFlow(settings: OpenIdConnectSettings): Flow {
  return {
    startAuthorization: async (_flow, request) => {
      const config = await discover(settings);
      const [codeVerifier, nonce] = [client.randomPKCECodeVerifier(), client.randomNonce()];
      const callbackChecks: StoredChecks = { verifier: codeVerifier, nonce };
      const address = client.buildAuthorizationUrl(config, {
        redirect_uri: new URL(request.callbackUrl).href,
        scope: settings.scopes,
        state: request.state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ...(settings.acrValues.length > 0 ? { acr_values: settings.acrValues.join(' ') } : {}),
        ...(settings.claims ? { claims: settings.claims } : {}),
      });
      return { address: address.href, callbackChecks: JSON.stringify(callbackChecks) };
    },
    handleCallback: async (params, request, callbackChecks) => {
      const config = await discover(settings);
      const { verifier: codeVerifier, nonce }: StoredChecks = JSON.parse(callbackChecks);
      const callback = new URL(request.callbackUrl);
      callback.search = params.toString();
      try {
        const tokens = await client.authorizationCodeGrant(config, callback, {
          expectedState: request.state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        return judge(tokens.access_token, tokens.claims(), settings.acrValues);
      } catch (error) {
        return verdictOn(error);
      }
    },
    documents: async ({ memory }) => {
      if (memory === null) throw new Error('The provider has sent no callback yet.');
      const { accessToken, claims }: Grant = JSON.parse(memory);
      const { issuer } = settings;
      const policy = { allowLoopback: settings.allowHttp, requireHttps: issuer.protocol === 'https:' };
      const config = await discover(settings);
      const userInfo: Claims = config.serverMetadata().userinfo_endpoint
        ? await client.fetchUserInfo(config, accessToken, claims.sub).catch(refuseClaims)
        : {};
      return identityDocuments(claims, userInfo, { accessToken, issuer, policy });
    },
    check: async () => void (await discover(settings)),
  };
}

/**
 * Discovers the provider's metadata for each flow: openid-client caches it together with the keys, and would reject a rotated key for
 * minutes. Signatures are verified although TLS already authenticates the ID token, because the claims are kept as evidence.
 * @throws ProviderUnavailable for every failure: none is about the person
 */
async function discover(settings: OpenIdConnectSettings): Promise<client.Configuration> {
  const { issuer, clientId, clientSecret, allowHttp } = settings;
  try {
    const config = await client.discovery(issuer, clientId, {}, authentication(clientSecret), {
      timeout: TIMEOUT_SECONDS,
      execute: [client.enableNonRepudiationChecks, ...(allowHttp ? [client.allowInsecureRequests] : [])],
      [client.customFetch]: boundedFetch,
    });
    if (!/^https?:\/\//.test(config.serverMetadata().authorization_endpoint ?? ''))
      throw new Error('no place to sign in');
    return config;
  } catch (error) {
    throw unavailable(error) ?? new ProviderUnavailable(`The provider's metadata cannot be used (${reasonOf(error)}).`);
  }
}

/** Defaults to HTTP Basic, as OpenID Connect does. */
function authentication(secret: string): client.ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
}

function judge(accessToken: string, claims: client.IDToken | undefined, acrValues: readonly string[]): CallbackOutcome {
  if (!claims) return { state: 'failed', reason: 'The provider sent no ID token.' };
  if (acrValues.length > 0 && !acrValues.some((acr) => acr === claims.acr))
    return { state: 'failed', reason: 'The assurance level is too low.' };
  const grant: Grant = { accessToken, claims };
  return { state: 'succeeded', grant: JSON.stringify(grant) };
}
