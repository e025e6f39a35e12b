import type { OpenIdConnectSettings } from '../../core/settings/eid-settings.ts';
import type { EidProvider } from './port.ts';

/**
 * National eID over OpenID Connect: authorization code with PKCE, state and nonce; the identity is the claims it brings.
 * Its packages are loaded by the first flow: they take longer to load than most of a start.
 */
export function createOpenIdConnect(settings: OpenIdConnectSettings): EidProvider {
  const flow = async () => (await import('./openid-flow.ts')).createOpenIdFlow(settings);
  return {
    name: `oidc ${settings.issuer.href}`,
    pollMs: () => Number.POSITIVE_INFINITY,
    outcome: async () => ({ state: 'pending' }),
    depart: async (...given) => (await flow()).depart(...given),
    arrive: async (...given) => (await flow()).arrive(...given),
    documents: async (...given) => (await flow()).documents(...given),
    check: async () => (await flow()).check(),
  };
}
