/** The tables' rows as both databases return them: text moments (`core/time.ts`), 0 or 1 for yes and no. */
import type { components } from '../generated/openapi.d.ts';

type Schemas = components['schemas'];
type Flag = 0 | 1;

export interface LandlordRow {
  id: string;
  name: string;
  created_at: string;
}

export interface ApiKeyRow {
  id: string;
  client_id: string;
  client_secret_hash: string;
  landlord_id: string;
  name: string;
  created_at: string;
  revoked_at: string | null;
  /** To the minute. */
  last_used_at: string | null;
  /** From when on it is refused by itself. */
  expires_at: string | null;
}

/** A client secret that was replaced and is accepted beside the current one until it expires. */
export interface FormerClientSecretRow {
  id: string;
  api_key_id: string;
  client_secret_hash: string;
  expires_at: string;
}

export interface ApplicationRow {
  id: string;
  api_key_id: string;
  title: string;
  active_email_key: string;
  created_at: string;
  updated_at: string;
  /** What it is about, once that is known. */
  property_internal_id: number | null;
}

export interface ParticipantRow {
  id: string;
  application_id: string;
  position: number;
  email: string;
  comparable_email: string;
  name: string;
  is_lead: Flag;
  is_guarantor: Flag;
  consent_status: Schemas['ConsentStatus'];
  removed_at: string | null;
}

/**
 * Work that a job does. `due_at` says from when on it may be claimed, and null means that it is finished (or held, for a
 * delivery); `failures` counts how often it threw, and `failure` is the last reason.
 */
export interface WorkRow {
  id: string;
  status: string;
  due_at: string | null;
  failures: number;
  failure: string | null;
  created_at: string;
  finished_at: string | null;
}

export interface InviteRow extends WorkRow {
  participant_id: string;
  /** `cancelled`: nobody needs the mail any more. */
  status: 'pending' | 'sent' | 'failed' | 'cancelled';
  /** The digest of the token in its link. */
  token_hash: string | null;
  /** The token, until the mail is on its way. */
  sealed_token: string | null;
  /** From when on the link is refused. */
  expires_at: string | null;
  /** When the link was used. */
  answered_at: string | null;
}

/** A link that lets a participant complete their profile, once. */
export interface OnboardingLinkRow {
  id: string;
  participant_id: string;
  token_hash: string;
  expires_at: string;
  used_at: string | null;
  created_at: string;
}

export interface TenantRow {
  id: string;
  email: string;
  comparable_email: string;
  name: string;
  profile_completed_at: string | null;
  profile_outdated_at: string | null;
  created_at: string;
  /** Of participants who are forgotten by now; null while none is. */
  last_took_part_at: string | null;
}

/** An erasure whose bytes are still to be wiped from the files of the database. */
export interface OwedWipeRow {
  id: string;
  since: string;
}

export interface DocumentRow {
  id: string;
  tenant_id: string;
  name: string;
  media_type: string;
  size_bytes: number;
  sha256: string;
  source: 'operator' | 'eid';
  created_at: string;
}

/** What tells a document, or what it was made from, elsewhere. */
export interface DocumentFingerprintRow {
  document_id: string;
  kind: 'origin' | 'figures';
  /** In hex. */
  value: string;
}

/** A key that something may be sealed with, as a text that it opens. The oldest row says since when the database is this one. */
export interface EncryptionKeyRow {
  /** `current` for the row of the first start; the key's fingerprint for each key that came later. */
  id: string;
  sealed_check: string;
  created_at: string;
}

/** An identity verification. What its provider wants remembered is sealed; at `expires_at` it ends by itself. */
export interface FlowRow extends WorkRow {
  tenant_id: string;
  /** The name of the provider that began it. */
  provider: string;
  sealed_memory: string | null;
  expires_at: string;
}

export interface KycVerificationRow extends FlowRow {
  status: 'pending' | 'verified' | 'rejected' | 'failed' | 'expired';
  result: string | null;
}

export interface EidFlowRow extends FlowRow {
  /** `downloading`: the person succeeded, their documents are being fetched. */
  status: 'pending' | 'downloading' | 'succeeded' | 'cancelled' | 'failed' | 'expired';
  redirect_url: string;
}

/** One departure of a person to their national eID, for one return of the same browser. */
export interface EidAttemptRow {
  state_hash: string;
  flow_id: string;
  browser_hash: string;
  sealed_luggage: string;
  created_at: string;
  used_at: string | null;
}

export interface ForensicRunRow extends WorkRow {
  tenant_id: string;
  status: 'pending' | 'processing' | 'completed' | 'failed';
  result: string | null;
}

export interface WebhookRow {
  id: string;
  api_key_id: string;
  url: string;
  sealed_secret: string | null;
  status: Schemas['Webhook']['status'];
  last_triggered_at: string | null;
  /** Since when no attempt has succeeded; null while none has failed since the last success. */
  failing_since: string | null;
  /** Since when its deliveries are held; the wire does not know of it. */
  paused_at: string | null;
  pause_reason: string | null;
  created_at: string;
}

/** A secret that was replaced and signs beside the current one until it expires. */
export interface FormerWebhookSecretRow {
  id: string;
  webhook_id: string;
  sealed_secret: string;
  expires_at: string;
}

export interface EventRow {
  id: string;
  tenant_id: string;
  event: string;
  /** Null once its time is over: what it tells is kept shorter than that it was told. */
  body: string | null;
  created_at: string;
}

/** Pending without `due_at` is held: its webhook is paused. */
export interface DeliveryRow extends WorkRow {
  event_id: string;
  webhook_id: string;
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  /** How many attempts there had been when the schedule of retries began (anew). */
  schedule_from: number;
  last_status_code: number | null;
  last_error: string | null;
}

export interface DeliveryAttemptRow {
  delivery_id: string;
  /** From 1. */
  number: number;
  started_at: string;
  duration_ms: number;
  status_code: number | null;
  error: string | null;
  /** The beginning of the answer's body; null when there was none, and once its time is over. */
  response_excerpt: string | null;
}

export interface WorkspaceRow {
  id: number;
  workspace_id: string;
  landlord_id: string;
  workspace_name: string;
  created_at: string;
}

export interface PropertyRow {
  id: number;
  property_id: string;
  workspace_internal_id: number;
  property_reference: string | null;
  rent_amount: number | null;
  street: string | null;
  street_number: number | null;
  entrance_stairwell: string | null;
  floor: number | null;
  letter: string | null;
  postal_code: string | null;
  municipality: string | null;
  province: string | null;
  bedrooms: number | null;
  bathrooms: number | null;
}

export interface PaymentRow {
  id: string;
  participant_id: string;
  amount: number;
  is_protected: Flag;
  status: 'pending' | 'affected';
  created_at: string;
}

/** Who did what to which resource. `hash` and `position` are its place in the chain; null until it has one. */
export interface AuditEntryRow {
  sequence: number;
  at: string;
  actor_kind: 'api_key' | 'operator' | 'person' | 'service';
  /** The id of an API key or participant, the name of an operator, or `service`. */
  actor: string;
  /** The kind of the resource and what was done to it, such as `application.create`. */
  action: string;
  resource_id: string;
  correlation_id: string | null;
  position: number | null;
  hash: string | null;
}

/** The tables whose rows are work for a job. */
export type WorkTable = 'invites' | 'kyc_verifications' | 'eid_flows' | 'forensic_runs' | 'deliveries';

declare module 'knex/types/tables.js' {
  interface Tables {
    landlords: LandlordRow;
    api_keys: ApiKeyRow;
    former_client_secrets: FormerClientSecretRow;
    applications: ApplicationRow;
    participants: ParticipantRow;
    invites: InviteRow;
    onboarding_links: OnboardingLinkRow;
    tenants: TenantRow;
    documents: DocumentRow;
    document_fingerprints: DocumentFingerprintRow;
    kyc_verifications: KycVerificationRow;
    eid_flows: EidFlowRow;
    eid_attempts: EidAttemptRow;
    encryption_keys: EncryptionKeyRow;
    forensic_runs: ForensicRunRow;
    webhooks: WebhookRow;
    former_webhook_secrets: FormerWebhookSecretRow;
    events: EventRow;
    deliveries: DeliveryRow;
    delivery_attempts: DeliveryAttemptRow;
    workspaces: WorkspaceRow;
    properties: PropertyRow;
    payments: PaymentRow;
    owed_wipes: OwedWipeRow;
    audit_entries: AuditEntryRow;
  }
}
