/** The outside world behind small interfaces. Each is started, asked for its outcome, and may be asked again. */

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

/** The provider does not answer just now; nothing was decided, and the person may try again. */
export class ProviderUnavailable extends Error {}

export interface DownloadedDocument {
  name: string;
  content: AsyncIterable<Uint8Array>;
}

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

export interface Mail {
  /** What a local copy is known by: of two mails with the same id, the later is kept. */
  id: string;
  /** Where readers know a mail by that they have already: the same when one mail goes out again after a crash. */
  messageId: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/**
 * A mail did not go out, but may later. The message is fit for a log; `reason` is for operators, with what the server said, without
 * addresses.
 */
export class MailDelayed extends Error {
  readonly reason: string;

  constructor(message: string, said = '') {
    super(message);
    this.reason = said ? `${message}: ${said}` : message;
  }
}

/** The server will never take this mail for this person. */
export class MailRefused extends MailDelayed {}

export interface MailSender {
  /** @throws MailRefused, MailDelayed */
  send(mail: Mail): Promise<void>;
  /** Whether a mail could go out now. @throws ProviderUnavailable which says why not */
  check(): Promise<void>;
  /** Ends what is under way, too. */
  close(): Promise<void>;
}

/** A mail of the local mailbox. */
export interface KeptMail {
  to: string;
  subject: string;
  sentAt: Date;
  text: string;
  html: string;
}

/** What reads the mails that the sandbox keeps. */
export interface Mailbox {
  read(id: string): Promise<KeptMail | undefined>;
}

/** Mails that lie in DATA_DIR, whether mails go out today or stay. */
export interface LocalMails {
  kept(): AsyncIterable<{ id: string; storedAt: Date }>;
  /** The bytes of a mail; undefined when it is not there. */
  read(id: string): Promise<Buffer | undefined>;
  /** @returns how many files were removed */
  forget(ids: readonly string[]): Promise<number>;
}

/** Bytes that are stored and wait for their row. */
export interface StoredContent {
  /** In hex. */
  sha256: string;
  sizeBytes: number;
  /** Told from the bytes. */
  mediaType: string;
  /** Takes them back, unless somebody else stored the same bytes before or since. For a row that was not written. */
  discard(): Promise<void>;
}

/** The bytes are none, or more than a document may have. The message may be shown. */
export class UnacceptableDocument extends Error {}

/** The stored bytes are gone, or are not those that were stored. The message may be shown. */
export class UnreadableDocument extends Error {}

/** There is nothing where the bytes should be. */
export class MissingDocument extends UnreadableDocument {}

/** Bytes as a store holds them. */
export interface KeptContent {
  /** In hex. */
  sha256: string;
  sizeBytes: number;
  /** When they were stored last: storing the same bytes again renews it. By the store's clock. */
  storedAt: Date;
}

/** Keeps the bytes of documents, encrypted, addressed by their SHA-256 in hex. */
export interface DocumentStore {
  /** @throws UnacceptableDocument, ProviderUnavailable */
  put(content: AsyncIterable<Uint8Array>): Promise<StoredContent>;
  /**
   * Streams the bytes. They may be believed once the stream has ended: it fails before its end when they were changed.
   * @throws UnreadableDocument, ProviderUnavailable
   */
  get(sha256: string): AsyncIterable<Uint8Array>;
  /**
   * The place in the ring of the key that opens the bytes, of which every one is looked at. 0 is the current key.
   * @throws UnreadableDocument when none opens them, ProviderUnavailable
   */
  openedBy(sha256: string): Promise<number>;
  /**
   * Stores the bytes anew, sealed with the current key, as large as they are. Readers find the old seal or the new one.
   * @returns what stores them: should their row be gone by now, they are to be taken back
   * @throws UnreadableDocument, ProviderUnavailable
   */
  reseal(sha256: string): Promise<StoredContent>;
  /** All that is stored, in no order. @throws ProviderUnavailable */
  kept(): AsyncIterable<KeptContent>;
  /**
   * Removes bytes, unless somebody stored them at that moment or since.
   * @returns false when they stay, or are gone already
   * @throws ProviderUnavailable
   */
  removeOld(sha256: string, storedBefore: Date): Promise<boolean>;
  /** Removes what killed processes left on its way a day ago, and puts back what they had moved aside. Never throws. */
  recover(): Promise<void>;
}

/** The answer of a caller's endpoint, as far as we care. */
export interface OutboundAnswer {
  statusCode: number;
  /** The header `Retry-After` as it came: seconds or a date. */
  retryAfter: string | undefined;
  /** The beginning of the body as text; empty when there is none. */
  excerpt: string;
}

/** The only way to an address that a caller gave us. */
export interface OutboundHttp {
  /** @throws OutboundError when no answer came */
  post(url: string, headers: Record<string, string>, body: string): Promise<OutboundAnswer>;
  close(): Promise<void>;
}

export interface Providers {
  kyc: KycProvider;
  eid: EidProvider;
  /** What the sandbox does before each analysis: it takes its time, and throws where an address asks for a failure. */
  rehearseAnalysis: ((tenant: TenantIdentity) => Promise<void>) | undefined;
  mail: MailSender;
  /** Where mails stay on this machine; undefined where they go out. */
  mailbox: Mailbox | undefined;
  localMails: LocalMails;
  documents: DocumentStore;
  outbound: OutboundHttp;
}
