import * as client from 'openid-client';
import { ProviderUnavailable } from '../../core/errors.ts';
import type { OpenIdConnectSettings } from '../../core/settings/eid-settings.ts';
import { boundedFetch } from '../outbound/bounded-fetch.ts';
import { conformClaims, conformTokenResponse, withBody, withoutNulls } from './openid-answers.ts';
import { reasonOf, unavailable } from './openid-errors.ts';
import { readIdToken, readToken } from './openid-tokens.ts';

const TIMEOUT_SECONDS = 10;

/**
 * Discovers the provider's metadata for each flow, so that no change at the provider is missed. openid-client receives every answer in
 * the form of the specifications, and tokens whose signature is already verified.
 * @throws ProviderUnavailable for every failure: none is about the person
 */
export async function discover(settings: OpenIdConnectSettings): Promise<client.Configuration> {
  const { issuer, clientId, clientSecret, allowHttp } = settings;
  try {
    const config = await client.discovery(issuer, clientId, {}, authentication(clientSecret), {
      timeout: TIMEOUT_SECONDS,
      execute: allowHttp ? [client.allowInsecureRequests] : [],
      [client.customFetch]: async (...asked) => withBody(await boundedFetch(...asked), withoutNulls),
    });
    const metadata = config.serverMetadata();
    if (!/^https?:\/\//.test(metadata.authorization_endpoint ?? '')) throw new Error('no place to sign in');
    config[client.customFetch] = conformFetch(metadata, settings);
    return config;
  } catch (error) {
    throw unavailable(error) ?? new ProviderUnavailable(`The provider's metadata cannot be used (${reasonOf(error)}).`);
  }
}

function conformFetch(metadata: client.ServerMetadata, settings: OpenIdConnectSettings): client.CustomFetch {
  const isAt = (url: string, endpoint: string | undefined) => URL.parse(endpoint ?? '')?.href === url;
  return async (url, options) => {
    const answer = await boundedFetch(url, options);
    if (isAt(url, metadata.token_endpoint))
      return withBody(answer, async (body) => {
        const { id_token, ...response } = conformTokenResponse(body);
        if (typeof id_token !== 'string') return response;
        return { ...response, id_token: await readIdToken(id_token, metadata, settings) };
      });
    // Claims may be a token, too.
    if (!answer.headers.get('content-type')?.startsWith('application/jwt')) return withBody(answer, conformClaims);
    const { status, headers } = answer;
    return new Response(await readToken((await answer.text()).trim(), metadata, settings), { status, headers });
  };
}

/** Defaults to HTTP Basic, as OpenID Connect does. */
function authentication(secret: string): client.ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
}
