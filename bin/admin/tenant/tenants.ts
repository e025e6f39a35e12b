import type { Command } from 'commander';
import { canonicalId } from '../../../core/ids.ts';
import { listParticipations } from '../../../db/applications/application-lists.ts';
import { addTenant, listTenants } from '../../../db/applications/tenants.ts';
import type { Database } from '../../../db/connection/database.ts';
import { ALL_LANDLORDS } from '../../../db/connection/queries/scope.ts';
import { inTransaction } from '../../../db/connection/transactions.ts';
import { type DocumentRow, findAllDocuments } from '../../../db/documents/documents.ts';
import { listWorkOfTenant, type TenantWorkTable } from '../../../db/work/work-lists.ts';
import { parseEmail } from '../cli/contract-rules.ts';
import { namedTenant, participationFields, tenantFields } from '../cli/named.ts';
import { auditOperator, auditRead } from '../cli/operator.ts';
import { list, record } from '../cli/output.ts';
import { commandLine, example, withRuntime } from '../cli/run-command.ts';
import { limitOption, parseText } from '../cli/values.ts';
import { withReads } from '../cli/with-reads.ts';
import { addProfileCommand } from './profile.ts';

export function addTenantCommands(tenant: Command): void {
  tenant
    .command('add')
    .description(
      'create the account of an e-mail address, unless it has one; participants with this address are linked to it immediately',
    )
    .requiredOption('--email <email>', 'the e-mail address; case is ignored', parseEmail)
    .requiredOption('--name <name>', "the person's name", parseText)
    .addHelpText('after', example('tenant add --email marta.ruiz@mail.example --name "Marta Ruiz"'))
    .action(add);
  tenant
    .command('list')
    .description('list the tenants, newest first')
    .addOption(limitOption())
    .addHelpText('after', example('tenant list'))
    .action(listAll);
  tenant
    .command('show')
    .description('show a tenant: the applications they take part in, their verifications, documents and analyses')
    .argument('<tenant>', 'the id or e-mail address of the tenant', canonicalId)
    .addHelpText('after', example('tenant show marta.ruiz@mail.example'))
    .action(show);
  addProfileCommand(tenant);
}

/** How many applications of a person, and checks of each kind, are listed. */
const MAX_LISTED = 1_000;

const add = withRuntime(async ({ db, now }, person: { email: string; name: string }) => {
  const moment = now();
  const { tenant, created } = await inTransaction(db, async (trx) => {
    const added = await addTenant(trx, person, moment);
    if (added.created) await auditOperator(trx, 'tenant.add', added.tenant.id, moment);
    return added;
  });
  const sentence = created ? 'The tenant was added.' : 'This address already has an account; nothing changed.';
  const applications = (await listParticipations(db, ALL_LANDLORDS, tenant.comparable_email, MAX_LISTED)).map(
    participationFields,
  );
  const fields = tenantFields(tenant, moment);
  const { text } = list(applications, {
    columns: ['application_id', 'title', 'consent_status'],
    cut: ['title'],
    empty: 'They take part in no application yet. The account is linked when a participant has this address.',
  });
  return {
    json: { ...fields, created, applications },
    text: `${record(sentence, { ...fields, created }).text}\n\n${text}`,
  };
});

const listAll = withReads(async ({ reads: db, now }, { limit }: { limit: number }) => {
  const moment = now();
  const rows = (await listTenants(db, ALL_LANDLORDS, limit + 1)).map((row) => tenantFields(row, moment));
  return list(rows, {
    columns: ['tenant_id', 'email', 'name', 'onboarding_status', 'created_at'],
    cut: ['email', 'name'],
    drop: ['created_at', 'name'],
    limit,
    empty: `There are no tenants yet. Add one:\n  ${commandLine('tenant add --email <email> --name <name>')}`,
  });
});

const show = withRuntime(async ({ db, now }, idOrEmail: string) => {
  const tenant = await namedTenant(db, idOrEmail);
  await auditRead(db, 'tenant.read', tenant.id, now());
  const fields = tenantFields(tenant, now());
  const applications = (await listParticipations(db, ALL_LANDLORDS, tenant.comparable_email, MAX_LISTED)).map(
    participationFields,
  );
  const documents = (await findAllDocuments(db, ALL_LANDLORDS, tenant.id)).map(documentFields);
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
      drop: ['is_lead'],
      empty: 'They take part in no application.',
    }),
    list(documents, {
      columns: ['document_id', 'name', 'source', 'size_bytes', 'created_at'],
      cut: ['name'],
      drop: ['created_at', 'source'],
      empty: 'They have no documents.',
    }),
    list(checks, {
      columns: ['id', 'check', 'status', 'failure', 'created_at', 'finished_at'],
      cut: ['failure'],
      drop: ['created_at', 'finished_at'],
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
  const rows = await listWorkOfTenant(db, ALL_LANDLORDS, table, tenantId, MAX_LISTED);
  return rows.map((row) => ({ check, ...row }));
}
