import type { Command } from 'commander';
import { listParticipations } from '../../../db/applications/application-lists.ts';
import { addTenant, listTenants } from '../../../db/applications/tenants.ts';
import { parseEmail } from '../cli/contract-rules.ts';
import { limitOption, moreNote } from '../cli/limit.ts';
import { participationFields, tenantFields } from '../cli/named.ts';
import { auditOperator } from '../cli/operator.ts';
import { list, record } from '../cli/output.ts';
import { commandLine, example, withRuntime } from '../cli/run-command.ts';
import { parseText } from '../cli/values.ts';
import { addProfileCommand } from './profile.ts';
import { addShowCommand } from './show.ts';

export function addTenantCommands(tenant: Command): void {
  tenant
    .command('add')
    .description(
      'open the account of an e-mail address, if it has none yet; participants with this address are linked to it at once',
    )
    .requiredOption('--email <email>', 'the e-mail address; upper and lower case are the same', parseEmail)
    .requiredOption('--name <name>', "the person's name", parseText)
    .addHelpText('after', example('tenant add --email marta.ruiz@mail.example --name "Marta Ruiz"'))
    .action(add);
  tenant
    .command('list')
    .description('list the tenants, the newest first')
    .addOption(limitOption())
    .addHelpText('after', example('tenant list'))
    .action(listAll);
  addShowCommand(tenant);
  addProfileCommand(tenant);
}

const add = withRuntime(async ({ db, now }, person: { email: string; name: string }) => {
  const moment = now();
  const { tenant, created } = await db.transaction(async (trx) => {
    const added = await addTenant(trx, person, moment);
    if (added.created) await auditOperator(trx, 'tenant.add', added.tenant.id, moment);
    return added;
  });
  const sentence = created ? 'The tenant was added.' : 'This address has an account already; nothing changed.';
  const applications = (await listParticipations(db, tenant.comparable_email)).map(participationFields);
  const fields = tenantFields(tenant, moment);
  const { text } = list(applications, {
    columns: ['application_id', 'title', 'consent_status'],
    cut: ['title'],
    empty: 'They take part in no application yet. Whoever does with this address is linked by it.',
  });
  return {
    json: { ...fields, created, applications },
    text: `${record(sentence, { ...fields, created }).text}\n\n${text}`,
  };
});

const listAll = withRuntime(async ({ db, now }, { limit }: { limit: number }) => {
  const moment = now();
  const found = await listTenants(db, limit + 1);
  return list(
    found.slice(0, limit).map((row) => tenantFields(row, moment)),
    {
      columns: ['tenant_id', 'email', 'name', 'onboarding_status', 'created_at'],
      cut: ['email', 'name'],
      note: moreNote(found, limit),
      empty: `There are no tenants yet. Add one:\n  ${commandLine('tenant add --email <email> --name <name>')}`,
    },
  );
});
