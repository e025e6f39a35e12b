import type { Command } from 'commander';
import { listParticipations } from '../../../db/applications/application-lists.ts';
import type { Database } from '../../../db/connection/connect.ts';
import { type DocumentRow, findDocuments } from '../../../db/documents/documents.ts';
import { listWorkOfTenant, type TenantWorkTable } from '../../../db/work/work-lists.ts';
import { namedTenant, participationFields, tenantFields } from '../cli/named.ts';
import { list, record } from '../cli/output.ts';
import { example, withRuntime } from '../cli/run-command.ts';

export function addShowCommand(tenant: Command): void {
  tenant
    .command('show')
    .description('show a tenant: the applications they take part in, their verifications, documents and analyses')
    .argument('<tenant>', 'the id or e-mail address of the tenant')
    .addHelpText('after', example('tenant show marta.ruiz@mail.example'))
    .action(show);
}

const show = withRuntime(async ({ db, now }, idOrEmail: string) => {
  const tenant = await namedTenant(db, idOrEmail);
  const fields = tenantFields(tenant, now());
  const applications = (await listParticipations(db, tenant.comparable_email)).map(participationFields);
  const documents = (await findDocuments(db, tenant.id)).map(documentFields);
  const checks = [
    ...(await checksOf(db, 'kyc_verifications', 'kyc', tenant.id)),
    ...(await checksOf(db, 'eid_flows', 'eid', tenant.id)),
    ...(await checksOf(db, 'forensic_runs', 'forensics', tenant.id)),
  ];
  const texts = [
    record(tenant.name, fields),
    list(applications, {
      columns: ['application_id', 'title', 'is_lead', 'consent_status'],
      cut: ['title'],
      empty: 'They take part in no application.',
    }),
    list(documents, {
      columns: ['document_id', 'name', 'source', 'size_bytes', 'created_at'],
      cut: ['name'],
      empty: 'They have no documents.',
    }),
    list(checks, {
      columns: ['id', 'check', 'status', 'failure', 'created_at', 'finished_at'],
      cut: ['failure'],
      empty: 'Nothing was verified or analysed.',
    }),
  ];
  return { json: { ...fields, applications, documents, checks }, text: texts.map(({ text }) => text).join('\n\n') };
});

function documentFields({ id, name, media_type, size_bytes, source, created_at }: DocumentRow) {
  return { document_id: id, name, media_type, size_bytes, source, created_at };
}

/** Newest first. @param check the noun of its commands */
async function checksOf(db: Database, table: TenantWorkTable, check: 'kyc' | 'eid' | 'forensics', tenantId: string) {
  const rows = await listWorkOfTenant(db, table, tenantId);
  return rows.map((row) => ({ check, ...row }));
}
