import type { ApiKeyRow } from './access/api-key-states.ts';
import type { FormerClientSecretRow } from './access/client-secrets.ts';
import type { LandlordRow } from './access/landlords.ts';
import type { ApplicationRow, ParticipantRow } from './applications/applications.ts';
import type { InviteRow } from './applications/invites.ts';
import type { OnboardingLinkRow } from './applications/onboarding-links.ts';
import type { PaymentRow } from './applications/payments.ts';
import type { SentMailRow } from './applications/sent-mails.ts';
import type { TenantRow } from './applications/tenants.ts';
import type { AuditEntryRow } from './audit/audit.ts';
import type { BackgroundMigrationRow } from './connection/background-migrations.ts';
import type { EncryptionKeyRow } from './connection/encryption-keys.ts';
import type { OwedWipeRow } from './connection/wipe.ts';
import type { DocumentFingerprintRow, DocumentRow } from './documents/documents.ts';
import type { ForensicRunRow } from './documents/forensic-runs.ts';
import type { EidAttemptRow, EidFlowRow } from './identity/eid-flows.ts';
import type { KycVerificationRow } from './identity/kyc-verifications.ts';
import type { PropertyRow } from './properties/properties.ts';
import type { StagedLineRow, StagedWorkspaceRow } from './properties/staged-properties.ts';
import type { WorkspaceRow } from './properties/workspaces.ts';
import type { DeliveryAttemptRow, DeliveryRow } from './webhooks/deliveries.ts';
import type { EventRow } from './webhooks/events.ts';
import type { FormerWebhookSecretRow } from './webhooks/webhook-secrets.ts';
import type { WebhookRow } from './webhooks/webhooks.ts';
import type { LeaderRow } from './work/leaders.ts';

/** The row of each table. */
declare module 'knex/types/tables.js' {
  interface Tables {
    api_keys: ApiKeyRow;
    applications: ApplicationRow;
    audit_entries: AuditEntryRow;
    background_migrations: BackgroundMigrationRow;
    deliveries: DeliveryRow;
    delivery_attempts: DeliveryAttemptRow;
    document_fingerprints: DocumentFingerprintRow;
    documents: DocumentRow;
    eid_attempts: EidAttemptRow;
    eid_flows: EidFlowRow;
    encryption_keys: EncryptionKeyRow;
    events: EventRow;
    forensic_runs: ForensicRunRow;
    former_client_secrets: FormerClientSecretRow;
    former_webhook_secrets: FormerWebhookSecretRow;
    invites: InviteRow;
    kyc_verifications: KycVerificationRow;
    landlords: LandlordRow;
    leaders: LeaderRow;
    onboarding_links: OnboardingLinkRow;
    owed_wipes: OwedWipeRow;
    participants: ParticipantRow;
    payments: PaymentRow;
    properties: PropertyRow;
    sent_mails: SentMailRow;
    staged_lines: StagedLineRow;
    staged_workspaces: StagedWorkspaceRow;
    tenants: TenantRow;
    webhooks: WebhookRow;
    workspaces: WorkspaceRow;
  }
}
