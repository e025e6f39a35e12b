import type { DownloadedDocument } from '../documents/port.ts';

/** Ports of identity verification: start a flow, then poll its outcome. */

export interface TenantIdentity {
  id: string;
  email: string;
  /** On the document that simulated providers are shown, possibly empty; nothing else uses it. */
  name: string;
}

/** A verification from the provider's side. `id` is ours and stable, which makes starting idempotent. */
export interface IdentityFlow {
  id: string;
  tenant: TenantIdentity;
  startedAt: Date;
  /** State of the provider's adapter as text; null at first. Encrypted at rest. */
  memory: string | null;
}

export type KycOutcome =
  /** `handedIn`: the person is done, and the provider is processing. */
  | { state: 'pending'; handedIn?: boolean }
  | { state: 'verified'; result: Record<string, unknown> }
  /** The provider rejected the person; the reason may be shown to them. */
  | { state: 'rejected'; reason: string }
  /** No verdict, for a technical reason. */
  | { state: 'failed'; reason: string };

/** An unverified incoming message: the exact bytes, and the headers in lower case. */
export interface ProviderMessage {
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** The message is not authentic, or too old. */
export class ForgedMessage extends Error {}

/** Know-your-customer verification (product document 3.5, 4.6): start, receive, read the result. */
export interface KycProvider {
  /** Identifies the provider: no other can continue its flows. */
  readonly name: string;
  /** Whether a verification costs money, so that sessions are limited. A simulated one is free, and testers repeat it. */
  readonly isMetered: boolean;
  /** Idempotent. @param returnUrl where the provider's page returns the person @returns the new `memory` */
  start(flow: IdentityFlow, returnUrl: string): Promise<string | null>;
  /**
   * The provider's page for this person, requested when they set out; null when they verify on our simulated page, or when nothing is
   * left to do, because the submission is being checked or the flow is over.
   * @throws ProviderUnavailable
   */
  address(flow: IdentityFlow): Promise<string | null>;
  /**
   * Verifies a message from the provider; undefined for a provider that sends none.
   * @returns the flow's id; its outcome is then fetched by `outcome`, never taken from the message
   * @throws ForgedMessage
   */
  receive?(message: ProviderMessage): Promise<string | undefined>;
  /** The current state. Throws when the provider is unavailable; callers retry. */
  outcome(flow: IdentityFlow): Promise<KycOutcome>;
  /** The delay before the next poll, in milliseconds; infinite when polling is pointless. */
  pollMs(flow: IdentityFlow): number;
  /** Checks availability and credentials; absent where nothing can fail. @throws ProviderUnavailable with the reason */
  check?(): Promise<void>;
}

export type EidOutcome =
  | { state: 'pending' }
  | { state: 'succeeded' }
  | { state: 'cancelled'; reason: string }
  | { state: 'failed'; reason: string };

/** One redirect of a person to the provider. */
export interface AuthorizationRequest {
  /** Unguessable and single-use; the provider returns it (OpenID Connect's `state`, SAML's `RelayState`). */
  state: string;
  /** Our callback address. */
  callbackUrl: string;
}

/** The result of a callback: `grant` is required for the download, and stays encrypted until then. */
export type CallbackOutcome =
  | { state: 'succeeded'; grant: string }
  | { state: 'cancelled'; reason: string }
  | { state: 'failed'; reason: string };

/** National electronic-identity verification (product document 3.4, 4.7), over any protocol. */
export interface EidProvider {
  /** As for KYC. */
  readonly name: string;
  /** As for KYC. */
  readonly isMetered: boolean;
  /**
   * Where to send a person who opened their link, and what the callback is checked against (a nonce, a code verifier); null when the
   * flow ends without a visit.
   * @throws ProviderUnavailable
   */
  startAuthorization(
    flow: IdentityFlow,
    request: AuthorizationRequest,
  ): Promise<{ address: string; callbackChecks: string } | null>;
  /**
   * Checks the callback against its authorization request. A mismatch is an outcome `failed`.
   * @param params the fields of the callback, from its query or form
   * @throws ProviderUnavailable
   */
  handleCallback(
    params: URLSearchParams,
    request: AuthorizationRequest,
    callbackChecks: string,
  ): Promise<CallbackOutcome>;
  /** The state of a flow without a callback so far. */
  outcome(flow: IdentityFlow): Promise<EidOutcome>;
  /** The identity documents; `flow.memory` is the grant. Throws when unavailable; callers retry. */
  documents(flow: IdentityFlow): Promise<DownloadedDocument[]>;
  /** As for KYC. */
  pollMs(flow: IdentityFlow): number;
  /** As for KYC, as far as the outcome is known before the callback. */
  check?(): Promise<void>;
}

/** What a simulated person has done, without a click. Absent: nothing. */
export interface SimulatedPerson {
  hasAccount: boolean;
  consent?: 'accepted' | 'rejected';
  profile?: 'COMPLETED' | 'OUTDATED';
  /** A pending payment, which the removal of the person affects. */
  payment?: 'protected' | 'unprotected';
}
