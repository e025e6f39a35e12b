import type { OpenIdConnectSettings } from '../../core/settings/eid-settings.ts';
import { createOpenIdConnect } from '../../providers/identity/openid-connect.ts';
import type { CallbackOutcome, EidProvider, IdentityFlow } from '../../providers/identity/port.ts';
import type { OidcProvider } from '../peers/oidc-provider.ts';
import { WebBrowser } from './web-browser.ts';

export const CALLBACK = 'http://localhost:4180/verify/eid/callback';
export const AUTHORIZATION_REQUEST = { state: 'a-state-that-is-unguessable', callbackUrl: CALLBACK };
export const FLOW: IdentityFlow = {
  id: 'flow',
  tenant: { id: 'tenant', email: 'ada@mail.example', name: 'Ada' },
  startedAt: new Date(),
  memory: null,
};

/** How one authorization differs from an ordinary one. */
export interface Authorization {
  eid?: EidProvider;
  /** The fields of the provider's form. */
  form?: Record<string, string>;
  /** Tamper with the authorization request and with the fields of the callback. */
  tamperRequest?: (address: URL) => void;
  tamperCallback?: (params: URLSearchParams) => void;
}

/** Our side of a provider, as a registered service would have it. */
export function eidOf(provider: OidcProvider, changes: Partial<OpenIdConnectSettings> = {}): EidProvider {
  return createOpenIdConnect({
    issuer: new URL(provider.issuer),
    clientId: provider.clientId,
    clientSecret: provider.clientSecret,
    scopes: 'openid profile',
    acrValues: [],
    claims: undefined,
    allowHttp: true,
    ...changes,
  });
}

/** A person is redirected, signs in and is redirected back; the callback is not handled yet. */
export async function receiveCallback(provider: OidcProvider, tampered: Authorization = {}) {
  const { eid = eidOf(provider), form = { login: 'ada' }, tamperRequest, tamperCallback } = tampered;
  const authorization = await eid.startAuthorization(FLOW, AUTHORIZATION_REQUEST);
  if (!authorization) throw new Error('The flow needs no visit.');
  const address = new URL(authorization.address);
  tamperRequest?.(address);
  const params = new URL(await new WebBrowser().signIn(address.href, CALLBACK, form)).searchParams;
  tamperCallback?.(params);
  const { callbackChecks } = authorization;
  return {
    answer: params,
    callbackChecks,
    handleCallback: () => eid.handleCallback(params, AUTHORIZATION_REQUEST, callbackChecks),
  };
}

export async function completeAuthorization(
  provider: OidcProvider,
  tampered: Authorization = {},
): Promise<CallbackOutcome> {
  return (await receiveCallback(provider, tampered)).handleCallback();
}

/** The documents downloaded after a success, by name. */
export async function documentsAfter(params: CallbackOutcome, eid: EidProvider): Promise<Record<string, string>> {
  if (params.state !== 'succeeded') throw new Error(`The authorization ended ${params.state}: ${params.reason}`);
  const found: Record<string, string> = {};
  for (const { name, content } of await eid.documents({ ...FLOW, memory: params.grant }))
    found[name] = Buffer.concat(await Array.fromAsync(content)).toString();
  return found;
}

/** The error of a rejected promise. */
export async function thrown(work: Promise<unknown>): Promise<Error> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) throw new Error('Nothing was thrown.');
  return error;
}
