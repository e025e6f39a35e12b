import * as client from 'openid-client';
import type { OpenIdConnectSettings } from '../../core/settings/eid-settings.ts';
import { type Claims, identityDocuments } from './identity-documents.ts';
import { refuseClaims, verdictOnCallback, verdictOnResponse } from './openid-errors.ts';
import { discover } from './openid-provider.ts';
import { publishedKeys } from './openid-tokens.ts';
import type { CallbackOutcome, EidProvider } from './port.ts';

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
      const hasAsked = watchFetch(config);
      try {
        const tokens = await client.authorizationCodeGrant(config, callback, {
          expectedState: request.state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        return judge(tokens.access_token, tokens.claims(), settings.acrValues);
      } catch (error) {
        return hasAsked() ? verdictOnResponse(error) : verdictOnCallback(error);
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
    check: async () => {
      const config = await discover(settings);
      await publishedKeys(config.serverMetadata(), settings);
    },
  };
}

/** Whether the callback was accepted, so that the provider was asked: errors after that are about the provider's answer. */
function watchFetch(config: client.Configuration): () => boolean {
  const fetch = config[client.customFetch];
  let hasAsked = false;
  if (fetch)
    config[client.customFetch] = (...asked) => {
      hasAsked = true;
      return fetch(...asked);
    };
  return () => hasAsked;
}

function judge(accessToken: string, claims: client.IDToken | undefined, acrValues: readonly string[]): CallbackOutcome {
  if (!claims) return { state: 'failed', reason: 'The provider sent no ID token.' };
  if (acrValues.length > 0 && !acrValues.some((acr) => acr === claims.acr))
    return { state: 'failed', reason: 'The assurance level is too low.' };
  const grant: Grant = { accessToken, claims };
  return { state: 'succeeded', grant: JSON.stringify(grant) };
}
