import type { Knex } from 'knex';
import * as landlordsAndApiKeys from './0001-landlords-and-api-keys.ts';
import * as applications from './0002-applications.ts';
import * as invites from './0003-invites.ts';
import * as tenantsAndDocuments from './0004-tenants-and-documents.ts';
import * as identityFlows from './0005-identity-flows.ts';
import * as forensicRuns from './0006-forensic-runs.ts';
import * as webhooksAndDeliveries from './0007-webhooks-and-deliveries.ts';
import * as workspacesAndProperties from './0008-workspaces-and-properties.ts';
import * as payments from './0009-payments.ts';
import * as identityFlowLinks from './0010-identity-flow-links.ts';
import * as documentsByDigest from './0011-documents-by-digest.ts';
import * as encryptionKey from './0012-encryption-key.ts';
import * as attemptsAndPauses from './0013-attempts-and-pauses.ts';
import * as documentFingerprints from './0014-document-fingerprints.ts';
import * as apiKeyLife from './0015-api-key-life.ts';
import * as auditLog from './0016-audit-log.ts';
import * as invitations from './0017-invitations.ts';
import * as importLookups from './0018-import-lookups.ts';
import * as retention from './0019-retention.ts';
import * as participantsByApplication from './0020-participants-by-application.ts';
import * as leases from './0021-leases.ts';
import * as tenantDataByKey from './0022-tenant-data-by-key.ts';
import * as plainResults from './0023-plain-results.ts';
import * as sentMails from './0024-sent-mails.ts';
import * as monitoring from './0025-monitoring.ts';
import * as reusedResults from './0026-reused-results.ts';
import * as upgrades from './0027-upgrades.ts';
import * as uploadedDocuments from './0028-uploaded-documents.ts';

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

/** Numbered, never edited once released, forward only. Each is safe beside the version before it: see docs/decisions/0032. */
export const allMigrations: readonly NamedMigration[] = [
  { name: '0001-landlords-and-api-keys', oldestVersion: '1.0.0', ...landlordsAndApiKeys },
  { name: '0002-applications', oldestVersion: '1.0.0', ...applications },
  { name: '0003-invites', oldestVersion: '1.0.0', ...invites },
  { name: '0004-tenants-and-documents', oldestVersion: '1.0.0', ...tenantsAndDocuments },
  { name: '0005-identity-flows', oldestVersion: '1.0.0', ...identityFlows },
  { name: '0006-forensic-runs', oldestVersion: '1.0.0', ...forensicRuns },
  { name: '0007-webhooks-and-deliveries', oldestVersion: '1.0.0', ...webhooksAndDeliveries },
  { name: '0008-workspaces-and-properties', oldestVersion: '1.0.0', ...workspacesAndProperties },
  { name: '0009-payments', oldestVersion: '1.0.0', ...payments },
  { name: '0010-identity-flow-links', oldestVersion: '1.0.0', ...identityFlowLinks },
  { name: '0011-documents-by-digest', oldestVersion: '1.0.0', ...documentsByDigest },
  { name: '0012-encryption-key', oldestVersion: '1.0.0', ...encryptionKey },
  { name: '0013-attempts-and-pauses', oldestVersion: '1.0.0', ...attemptsAndPauses },
  { name: '0014-document-fingerprints', oldestVersion: '1.0.0', ...documentFingerprints },
  { name: '0015-api-key-life', oldestVersion: '1.0.0', ...apiKeyLife },
  { name: '0016-audit-log', oldestVersion: '1.0.0', ...auditLog },
  { name: '0017-invitations', oldestVersion: '1.0.0', ...invitations },
  { name: '0018-import-lookups', oldestVersion: '1.0.0', ...importLookups },
  { name: '0019-retention', oldestVersion: '1.0.0', ...retention },
  { name: '0020-participants-by-application', oldestVersion: '1.0.0', ...participantsByApplication },
  { name: '0021-leases', oldestVersion: '1.0.0', ...leases },
  { name: '0022-tenant-data-by-key', oldestVersion: '1.0.0', ...tenantDataByKey },
  { name: '0023-plain-results', oldestVersion: '1.0.0', ...plainResults },
  { name: '0024-sent-mails', oldestVersion: '1.0.0', ...sentMails },
  { name: '0025-monitoring', oldestVersion: '1.0.0', ...monitoring },
  { name: '0026-reused-results', oldestVersion: '1.0.0', ...reusedResults },
  { name: '0027-upgrades', oldestVersion: '1.0.0', ...upgrades },
  { name: '0028-uploaded-documents', oldestVersion: '1.0.0', ...uploadedDocuments },
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
