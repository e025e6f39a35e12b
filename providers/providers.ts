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
}

export type KycOutcome =
  | { state: 'pending' }
  | { state: 'verified'; result: Record<string, unknown> }
  | { state: 'failed'; reason: string };

/** Know-your-customer verification (product document 3.5, 4.6). */
export interface KycProvider {
  /** The address of the page where the tenant verifies. */
  start(flow: IdentityFlow): Promise<{ verificationUrl: string }>;
  /** How it stands now. Throws when the provider cannot be asked, which is tried again. */
  outcome(flow: IdentityFlow): Promise<KycOutcome>;
  /** When to ask for the outcome for the first time and after each `pending`, in milliseconds. */
  pollMs: number;
}

export type EidOutcome = { state: 'pending' } | { state: 'succeeded' } | { state: 'failed'; reason: string };

export interface DownloadedDocument {
  name: string;
  mediaType: string;
  content: Uint8Array;
}

/** National electronic-identity verification (product document 3.4, 4.7). */
export interface EidProvider {
  start(flow: IdentityFlow): Promise<{ verificationLink: string }>;
  outcome(flow: IdentityFlow): Promise<EidOutcome>;
  /** The identity documents of a flow that succeeded. */
  documents(flow: IdentityFlow): Promise<DownloadedDocument[]>;
  pollMs: number;
}

/** A stored document as the analysis sees it; `read` fetches the bytes when they are needed. */
export interface AnalysableDocument {
  id: string;
  name: string;
  mediaType: string;
  sha256: string;
  read(): Promise<Uint8Array>;
}

/** Forensic analysis of a tenant's documents (product document 4.8). Throws when it fails; that is tried again. */
export interface ForensicAnalyser {
  analyse(tenant: TenantIdentity, documents: AnalysableDocument[]): Promise<Record<string, unknown>>;
}

export interface Mail {
  /** Stable: sending the same id again must not reach the person twice. */
  id: string;
  to: string;
  subject: string;
  text: string;
}

export interface MailSender {
  send(mail: Mail): Promise<void>;
}

/** Keeps the bytes of documents, addressed by their SHA-256 in hex. */
export interface DocumentStore {
  put(content: Uint8Array): Promise<{ sha256: string; sizeBytes: number }>;
  /** @throws when nothing is stored under the digest or the stored bytes were changed */
  get(sha256: string): Promise<Buffer>;
}

/** The answer of a caller's endpoint, as far as we care. */
export interface OutboundAnswer {
  statusCode: number;
}

/** The only way to an address that a caller gave us. */
export interface OutboundHttp {
  /** @throws OutboundError when no answer came */
  post(url: string, headers: Record<string, string>, body: string): Promise<OutboundAnswer>;
  /** Whether as many POSTs to the address's origin are under way as one origin may have. */
  isBusy(url: string): boolean;
  close(): Promise<void>;
}

export interface Providers {
  kyc: KycProvider;
  eid: EidProvider;
  forensic: ForensicAnalyser;
  mail: MailSender;
  documents: DocumentStore;
  outbound: OutboundHttp;
}
