import type { OpenIdConnectSettings } from '../../core/settings/eid-settings.ts';
import { createOpenIdConnect } from '../../providers/identity/openid-connect.ts';
import type { EidAnswer, EidProvider, IdentityFlow } from '../../providers/identity/port.ts';
import type { OidcProvider } from '../peers/oidc-provider.ts';
import { WebBrowser } from './web-browser.ts';

export const CALLBACK = 'http://localhost:4180/verify/eid/callback';
export const TRIP = { state: 'a-state-that-is-unguessable', callbackUrl: CALLBACK };
export const FLOW: IdentityFlow = {
  id: 'flow',
  tenant: { id: 'tenant', email: 'ada@mail.example', name: 'Ada' },
  startedAt: new Date(),
  memory: null,
};

export interface Journey {
  eid?: EidProvider;
  /** The fields of the provider's form. */
  form?: Record<string, string>;
  /** Tampers with the outgoing address and with the returned fields. */
  there?: (address: URL) => void;
  back?: (answer: URLSearchParams) => void;
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

/** A person departs, signs in and returns, but has not been processed yet. */
export async function comeBack(provider: OidcProvider, journey: Journey = {}) {
  const { eid = eidOf(provider), form = { login: 'ada' }, there, back } = journey;
  const departure = await eid.depart(FLOW, TRIP);
  if (!departure) throw new Error('No one set out.');
  const address = new URL(departure.address);
  there?.(address);
  const answer = new URL(await new WebBrowser().signIn(address.href, CALLBACK, form)).searchParams;
  back?.(answer);
  const { luggage } = departure;
  return { answer, luggage, arrive: () => eid.arrive(answer, TRIP, luggage) };
}

export async function arrive(provider: OidcProvider, journey: Journey = {}): Promise<EidAnswer> {
  return (await comeBack(provider, journey)).arrive();
}

/** The documents downloaded after a success, by name. */
export async function documentsAfter(answer: EidAnswer, eid: EidProvider): Promise<Record<string, string>> {
  if (answer.state !== 'succeeded') throw new Error(`The journey ended ${answer.state}: ${answer.reason}`);
  const found: Record<string, string> = {};
  for (const { name, content } of await eid.documents({ ...FLOW, memory: answer.grant }))
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
