import type { DownloadedDocument } from '../documents/port.ts';

/** Identity verification behind small interfaces. Each is started, asked for its outcome, and may be asked again. */

export interface TenantIdentity {
  id: string;
  email: string;
  name: string;
}

/** A verification as a provider sees it. `id` is ours and stable, so that starting twice starts once. */
export interface IdentityFlow {
  id: string;
  tenant: TenantIdentity;
  startedAt: Date;
  /** What the provider wants kept of the flow, as text of its own; null until there is something. Sealed at rest. */
  memory: string | null;
}

export type KycOutcome =
  /** `handedIn`: the person has done their part, and the provider is at it. */
  | { state: 'pending'; handedIn?: boolean }
  | { state: 'verified'; result: Record<string, unknown> }
  /** The provider looked and said no; the reason may be shown to the person. */
  | { state: 'rejected'; reason: string }
  /** There is no verdict, for a technical reason. */
  | { state: 'failed'; reason: string };

/** A message that reached us from outside, before anybody believed it: the very bytes and the headers in lower case. */
export interface ProviderMessage {
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** The message was not sent by the provider, or is too old to be believed. */
export class ForgedMessage extends Error {}

/** Know-your-customer verification (product document 3.5, 4.6): start, receive, read the result. */
export interface KycProvider {
  /** Who it is. What one provider began no other can go on with. */
  readonly name: string;
  /**
   * Starts the verification; starting the same flow again starts nothing more.
   * @param returnUrl our page, where the person comes back to from a page of the provider's own
   * @returns what is to be kept as `memory`
   */
  start(flow: IdentityFlow, returnUrl: string): Promise<string | null>;
  /**
   * The provider's own page for this person, asked for when they set out; null when there is none: they verify on our
   * simulated page, or nothing is left for them to do, because what they handed in is being checked or it is over.
   * @throws ProviderUnavailable
   */
  address(flow: IdentityFlow): Promise<string | null>;
  /**
   * Reads a message that the provider sent us; undefined where a provider sends none.
   * @returns the id of the flow it is about; how it ended is then asked for by `outcome`, never taken from the message
   * @throws ForgedMessage
   */
  receive?(message: ProviderMessage): Promise<string | undefined>;
  /** How it stands now. Throws when the provider cannot be asked, which is tried again. */
  outcome(flow: IdentityFlow): Promise<KycOutcome>;
  /** How long after now to ask for the outcome unbidden, in milliseconds; infinite when there is no use in asking. */
  pollMs(flow: IdentityFlow): number;
  /** Whether it answers and takes our credentials; absent where nothing can be wrong. @throws ProviderUnavailable which says why not */
  check?(): Promise<void>;
}

export type EidOutcome =
  | { state: 'pending' }
  | { state: 'succeeded' }
  | { state: 'cancelled'; reason: string }
  | { state: 'failed'; reason: string };

/** A person on their way to the provider and back. */
export interface EidTrip {
  /** Unguessable, used once; the provider brings it back (`state` of OpenID Connect, `RelayState` of SAML). */
  state: string;
  /** Where the provider sends the person back to. */
  callbackUrl: string;
}

/** What came back with a person: `grant` is what the download needs, kept sealed until it is done. */
export type EidAnswer =
  | { state: 'succeeded'; grant: string }
  | { state: 'cancelled'; reason: string }
  | { state: 'failed'; reason: string };

/** National electronic-identity verification (product document 3.4, 4.7), whatever protocol it speaks. */
export interface EidProvider {
  /** As for KYC. */
  readonly name: string;
  /**
   * Where to send a person who opened their link, and what must be known when they come back (a nonce, a code verifier);
   * null when nobody needs to go anywhere, because the flow ends by itself.
   * @throws ProviderUnavailable
   */
  depart(flow: IdentityFlow, trip: EidTrip): Promise<{ address: string; luggage: string } | null>;
  /**
   * Checks what a person came back with against what they left with. Whatever does not fit is an answer `failed`.
   * @param answer the fields of the callback, from its query or form
   * @throws ProviderUnavailable
   */
  arrive(answer: URLSearchParams, trip: EidTrip, luggage: string): Promise<EidAnswer>;
  /** How a flow stands that nobody has come back from. */
  outcome(flow: IdentityFlow): Promise<EidOutcome>;
  /** The identity documents; `flow.memory` is the grant. Throws when they cannot be had, which is tried again. */
  documents(flow: IdentityFlow): Promise<DownloadedDocument[]>;
  /** As for KYC. */
  pollMs(flow: IdentityFlow): number;
  /** As for KYC, as far as that can be told before a person comes back. */
  check?(): Promise<void>;
}
