import type { OpenIdConnectSettings } from '../../core/settings/eid-settings.ts';
import type { EidProvider } from './port.ts';

/**
 * National eID over OpenID Connect: authorization code flow with PKCE, state and nonce. The claims are the identity. Packages are
 * loaded by the first flow, because they would slow down the start.
 */
export function createOpenIdConnect(settings: OpenIdConnectSettings): EidProvider {
  const flow = async () => (await import('./openid-flow.ts')).createOpenIdFlow(settings);
  return {
    name: `oidc ${settings.issuer.href}`,
    isMetered: true,
    pollMs: () => Number.POSITIVE_INFINITY,
    outcome: async () => ({ state: 'pending' }),
    startAuthorization: async (...given) => (await flow()).startAuthorization(...given),
    handleCallback: async (...given) => (await flow()).handleCallback(...given),
    documents: async (...given) => (await flow()).documents(...given),
    check: async () => (await flow()).check(),
  };
}
