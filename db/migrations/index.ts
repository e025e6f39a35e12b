import type { Knex } from 'knex';

export interface NamedMigration {
  name: string;
  /** The oldest version of the service that runs on the schema of this migration. */
  oldestVersion: string;
  /** It removes what the versions before `oldestVersion` used. */
  removes?: boolean;
  /** The background migration that must be done before. */
  after?: string;
  up(db: Knex): Promise<void>;
}

/** Loaded when it is carried out: a start knows the names alone. */
const from = (load: () => Promise<Pick<NamedMigration, 'up'>>) => async (db: Knex) => (await load()).up(db);

/** Numbered, never edited once released, forward only. Each is safe beside the version before it: see docs/decisions/0032. */
export const allMigrations: readonly NamedMigration[] = [
  {
    name: '0001-landlords-and-api-keys',
    oldestVersion: '1.0.0',
    up: from(() => import('./0001-landlords-and-api-keys.ts')),
  },
  { name: '0002-applications', oldestVersion: '1.0.0', up: from(() => import('./0002-applications.ts')) },
  { name: '0003-invites', oldestVersion: '1.0.0', up: from(() => import('./0003-invites.ts')) },
  {
    name: '0004-tenants-and-documents',
    oldestVersion: '1.0.0',
    up: from(() => import('./0004-tenants-and-documents.ts')),
  },
  { name: '0005-identity-flows', oldestVersion: '1.0.0', up: from(() => import('./0005-identity-flows.ts')) },
  { name: '0006-forensic-runs', oldestVersion: '1.0.0', up: from(() => import('./0006-forensic-runs.ts')) },
  {
    name: '0007-webhooks-and-deliveries',
    oldestVersion: '1.0.0',
    up: from(() => import('./0007-webhooks-and-deliveries.ts')),
  },
  {
    name: '0008-workspaces-and-properties',
    oldestVersion: '1.0.0',
    up: from(() => import('./0008-workspaces-and-properties.ts')),
  },
  { name: '0009-payments', oldestVersion: '1.0.0', up: from(() => import('./0009-payments.ts')) },
  { name: '0010-identity-flow-links', oldestVersion: '1.0.0', up: from(() => import('./0010-identity-flow-links.ts')) },
  { name: '0011-documents-by-digest', oldestVersion: '1.0.0', up: from(() => import('./0011-documents-by-digest.ts')) },
  { name: '0012-encryption-key', oldestVersion: '1.0.0', up: from(() => import('./0012-encryption-key.ts')) },
  { name: '0013-attempts-and-pauses', oldestVersion: '1.0.0', up: from(() => import('./0013-attempts-and-pauses.ts')) },
  {
    name: '0014-document-fingerprints',
    oldestVersion: '1.0.0',
    up: from(() => import('./0014-document-fingerprints.ts')),
  },
  { name: '0015-api-key-life', oldestVersion: '1.0.0', up: from(() => import('./0015-api-key-life.ts')) },
  { name: '0016-audit-log', oldestVersion: '1.0.0', up: from(() => import('./0016-audit-log.ts')) },
  { name: '0017-invitations', oldestVersion: '1.0.0', up: from(() => import('./0017-invitations.ts')) },
  { name: '0018-import-lookups', oldestVersion: '1.0.0', up: from(() => import('./0018-import-lookups.ts')) },
  { name: '0019-retention', oldestVersion: '1.0.0', up: from(() => import('./0019-retention.ts')) },
  {
    name: '0020-participants-by-application',
    oldestVersion: '1.0.0',
    up: from(() => import('./0020-participants-by-application.ts')),
  },
  { name: '0021-leases', oldestVersion: '1.0.0', up: from(() => import('./0021-leases.ts')) },
  { name: '0022-tenant-data-by-key', oldestVersion: '1.0.0', up: from(() => import('./0022-tenant-data-by-key.ts')) },
  { name: '0023-plain-results', oldestVersion: '1.0.0', up: from(() => import('./0023-plain-results.ts')) },
  { name: '0024-sent-mails', oldestVersion: '1.0.0', up: from(() => import('./0024-sent-mails.ts')) },
  { name: '0025-monitoring', oldestVersion: '1.0.0', up: from(() => import('./0025-monitoring.ts')) },
  { name: '0026-reused-results', oldestVersion: '1.0.0', up: from(() => import('./0026-reused-results.ts')) },
  { name: '0027-upgrades', oldestVersion: '1.0.0', up: from(() => import('./0027-upgrades.ts')) },
  { name: '0028-uploaded-documents', oldestVersion: '1.0.0', up: from(() => import('./0028-uploaded-documents.ts')) },
  { name: '0029-autovacuum', oldestVersion: '1.0.0', up: from(() => import('./0029-autovacuum.ts')) },
  { name: '0030-kyc-agreements', oldestVersion: '1.0.0', up: from(() => import('./0030-kyc-agreements.ts')) },
  { name: '0031-eid-agreements', oldestVersion: '1.0.0', up: from(() => import('./0031-eid-agreements.ts')) },
  { name: '0032-hand-overs', oldestVersion: '1.0.0', up: from(() => import('./0032-hand-overs.ts')) },
  { name: '0033-erasure-requests', oldestVersion: '1.0.0', up: from(() => import('./0033-erasure-requests.ts')) },
  { name: '0034-landlord-brands', oldestVersion: '1.0.0', up: from(() => import('./0034-landlord-brands.ts')) },
  { name: '0035-console', oldestVersion: '1.0.0', up: from(() => import('./0035-console.ts')) },
  { name: '0036-event-bodies', oldestVersion: '1.0.0', up: from(() => import('./0036-event-bodies.ts')) },
  { name: '0037-landlord-languages', oldestVersion: '1.0.0', up: from(() => import('./0037-landlord-languages.ts')) },
  { name: '0038-finding-decisions', oldestVersion: '1.0.0', up: from(() => import('./0038-finding-decisions.ts')) },
  { name: '0039-daily-counts', oldestVersion: '1.0.0', up: from(() => import('./0039-daily-counts.ts')) },
  { name: '0040-audit-verification', oldestVersion: '1.0.0', up: from(() => import('./0040-audit-verification.ts')) },
  { name: '0041-audit-archives', oldestVersion: '1.0.0', up: from(() => import('./0041-audit-archives.ts')) },
  { name: '0042-webhook-sweeps', oldestVersion: '1.0.0', up: from(() => import('./0042-webhook-sweeps.ts')) },
  { name: '0043-document-moves', oldestVersion: '1.0.0', up: from(() => import('./0043-document-moves.ts')) },
  { name: '0044-daily-uses', oldestVersion: '1.0.0', up: from(() => import('./0044-daily-uses.ts')) },
  { name: '0045-mailboxes', oldestVersion: '1.0.0', up: from(() => import('./0045-mailboxes.ts')) },
  { name: '0046-upload-pieces', oldestVersion: '1.0.0', up: from(() => import('./0046-upload-pieces.ts')) },
  { name: '0047-landlord-settings', oldestVersion: '1.0.0', up: from(() => import('./0047-landlord-settings.ts')) },
  { name: '0048-document-requests', oldestVersion: '1.0.0', up: from(() => import('./0048-document-requests.ts')) },
  { name: '0049-mails-of-invites', oldestVersion: '1.0.0', up: from(() => import('./0049-mails-of-invites.ts')) },
  { name: '0050-former-links', oldestVersion: '1.0.0', up: from(() => import('./0050-former-links.ts')) },
  { name: '0051-work-by-key', oldestVersion: '1.0.0', up: from(() => import('./0051-work-by-key.ts')) },
  { name: '0052-audit-seal', oldestVersion: '1.0.0', up: from(() => import('./0052-audit-seal.ts')) },
  { name: '0053-bank-connections', oldestVersion: '1.0.0', up: from(() => import('./0053-bank-connections.ts')) },
  { name: '0054-conditions', oldestVersion: '1.0.0', up: from(() => import('./0054-conditions.ts')) },
  { name: '0055-kyc-applications', oldestVersion: '1.0.0', up: from(() => import('./0055-kyc-applications.ts')) },
  { name: '0056-eid-applications', oldestVersion: '1.0.0', up: from(() => import('./0056-eid-applications.ts')) },
  { name: '0057-income', oldestVersion: '1.0.0', up: from(() => import('./0057-income.ts')) },
  {
    name: '0058-deliveries-by-key',
    oldestVersion: '1.0.0',
    up: from(() => import('./0058-deliveries-by-key.ts')),
  },
  { name: '0062-members', oldestVersion: '1.0.0', up: from(() => import('./0062-members.ts')) },
  { name: '0063-member-keys', oldestVersion: '1.0.0', up: from(() => import('./0063-member-keys.ts')) },
  { name: '0064-member-links', oldestVersion: '1.0.0', up: from(() => import('./0064-member-links.ts')) },
  { name: '0065-member-sessions', oldestVersion: '1.0.0', up: from(() => import('./0065-member-sessions.ts')) },
  { name: '0067-reports', oldestVersion: '1.0.0', up: from(() => import('./0067-reports.ts')) },
  { name: '0068-report-views', oldestVersion: '1.0.0', up: from(() => import('./0068-report-views.ts')) },
  { name: '0069-signing-keys', oldestVersion: '1.0.0', up: from(() => import('./0069-signing-keys.ts')) },
  { name: '0070-document-glances', oldestVersion: '1.0.0', up: from(() => import('./0070-document-glances.ts')) },
  { name: '0071-removed-documents', oldestVersion: '1.0.0', up: from(() => import('./0071-removed-documents.ts')) },
  { name: '0074-looks', oldestVersion: '1.0.0', up: from(() => import('./0074-looks.ts')) },
  { name: '0081-webhook-mails', oldestVersion: '1.0.0', up: from(() => import('./0081-webhook-mails.ts')) },
  { name: '0082-webhook-alerts', oldestVersion: '1.0.0', up: from(() => import('./0082-webhook-alerts.ts')) },
  { name: '0084-member-passkeys', oldestVersion: '1.0.0', up: from(() => import('./0084-member-passkeys.ts')) },
  { name: '0085-console-sessions', oldestVersion: '1.0.0', up: from(() => import('./0085-console-sessions.ts')) },
  { name: '0086-console-links', oldestVersion: '1.0.0', up: from(() => import('./0086-console-links.ts')) },
  { name: '0088-account-passkeys', oldestVersion: '1.0.0', up: from(() => import('./0088-account-passkeys.ts')) },
  { name: '0089-landlord-periods', oldestVersion: '1.0.0', up: from(() => import('./0089-landlord-periods.ts')) },
  {
    name: '0090-former-co-applicants',
    oldestVersion: '1.0.0',
    up: from(() => import('./0090-former-co-applicants.ts')),
  },
  { name: '0091-member-mails', oldestVersion: '1.0.0', up: from(() => import('./0091-member-mails.ts')) },
  { name: '0092-report-parts', oldestVersion: '1.0.0', up: from(() => import('./0092-report-parts.ts')) },
  { name: '0093-kept-forms', oldestVersion: '1.0.0', up: from(() => import('./0093-kept-forms.ts')) },
  { name: '0094-passkey-notices', oldestVersion: '1.0.0', up: from(() => import('./0094-passkey-notices.ts')) },
];

export const migrations = sourceOf(allMigrations);

export function sourceOf(all: readonly NamedMigration[]): Knex.MigrationSource<NamedMigration> {
  return {
    getMigrations: async () => [...all],
    getMigrationName: ({ name }) => name,
    getMigration: async ({ up }) => ({
      up,
      down: async () => {
        throw new Error('Migrations go forward only; restore a backup instead.');
      },
    }),
  };
}
