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

interface NamedMigration {
  name: string;
  up(db: Knex): Promise<void>;
}

/** Numbered, never edited once released, forward only: a backup is the way back. */
const all: NamedMigration[] = [
  { name: '0001-landlords-and-api-keys', ...landlordsAndApiKeys },
  { name: '0002-applications', ...applications },
  { name: '0003-invites', ...invites },
  { name: '0004-tenants-and-documents', ...tenantsAndDocuments },
  { name: '0005-identity-flows', ...identityFlows },
  { name: '0006-forensic-runs', ...forensicRuns },
  { name: '0007-webhooks-and-deliveries', ...webhooksAndDeliveries },
  { name: '0008-workspaces-and-properties', ...workspacesAndProperties },
  { name: '0009-payments', ...payments },
  { name: '0010-identity-flow-links', ...identityFlowLinks },
  { name: '0011-documents-by-digest', ...documentsByDigest },
  { name: '0012-encryption-key', ...encryptionKey },
  { name: '0013-attempts-and-pauses', ...attemptsAndPauses },
  { name: '0014-document-fingerprints', ...documentFingerprints },
  { name: '0015-api-key-life', ...apiKeyLife },
  { name: '0016-audit-log', ...auditLog },
  { name: '0017-invitations', ...invitations },
  { name: '0018-import-lookups', ...importLookups },
  { name: '0019-retention', ...retention },
  { name: '0020-participants-by-application', ...participantsByApplication },
  { name: '0021-leases', ...leases },
  { name: '0022-tenant-data-by-key', ...tenantDataByKey },
  { name: '0023-plain-results', ...plainResults },
  { name: '0024-sent-mails', ...sentMails },
  { name: '0025-monitoring', ...monitoring },
  { name: '0026-reused-results', ...reusedResults },
];

export const migrations: Knex.MigrationSource<NamedMigration> = {
  getMigrations: async () => all,
  getMigrationName: ({ name }) => name,
  getMigration: async ({ up }) => ({
    up,
    down: async () => {
      throw new Error('Migrations go forward only; restore a backup instead.');
    },
  }),
};
