import { type Command, Option } from 'commander';
import { onboardingStatus } from '../../core/onboarding.ts';
import type { Database } from '../../db/connect.ts';
import { findTenantByIdOrEmail, setProfile } from '../../db/provisioning.ts';
import type { TenantRow } from '../../db/rows.ts';
import { addTenant, getTenant } from '../../db/tenants.ts';
import { parseEmail } from './email-value.ts';
import { OperatorError, UsageError } from './faults.ts';
import { list, record } from './output.ts';
import { example, typed, withRuntime } from './run-command.ts';
import { parseMoment, parseText } from './values.ts';

const states = ['COMPLETED', 'PENDING', 'OUTDATED'] as const;

export function addTenantCommands(tenant: Command): void {
  tenant
    .command('add')
    .description('open the account of an e-mail address, if it has none yet')
    .requiredOption('--email <email>', 'the e-mail address; upper and lower case are the same', parseEmail)
    .requiredOption('--name <name>', "the person's name", parseText)
    .addHelpText('after', example('tenant add --email marta.ruiz@mail.example --name "Marta Ruiz"'))
    .action(add);
  tenant
    .command('list')
    .description('list the tenants')
    .addHelpText('after', example('tenant list'))
    .action(listTenants);
  tenant
    .command('profile')
    .description("set the state of a tenant's profile, from which participants have their onboarding status")
    .argument('<tenant>', 'the id or e-mail address of the tenant')
    .addOption(new Option('--state <state>', 'the state from now on').choices(states).makeOptionMandatory())
    .option('--outdated-from <moment>', 'with COMPLETED: the later moment at which it goes out of date', parseMoment)
    .addHelpText(
      'after',
      example(
        'tenant profile marta.ruiz@mail.example --state COMPLETED',
        'tenant profile marta.ruiz@mail.example --state COMPLETED --outdated-from 2030-01-31',
      ),
    )
    .action(profile);
}

const add = withRuntime(async ({ db, now }, person: { email: string; name: string }) => {
  const moment = now();
  const { tenant, created } = await db.transaction((trx) => addTenant(trx, person, moment));
  const sentence = created ? 'The tenant was added.' : 'This address has an account already; nothing changed.';
  return record(sentence, { ...view(tenant, moment), created });
});

const listTenants = withRuntime(async ({ db, now }) => {
  const moment = now();
  const rows = await db('tenants').orderBy('created_at').orderBy('id');
  return list(
    rows.map((row) => view(row, moment)),
    {
      columns: ['tenant_id', 'email', 'name', 'onboarding_status', 'created_at'],
      cut: ['email', 'name'],
      empty: `There are no tenants yet. Add one:\n  ${typed('tenant add --email <email> --name <name>')}`,
    },
  );
});

interface ProfileOptions {
  state: (typeof states)[number];
  outdatedFrom?: Date;
}

const profile = withRuntime(async ({ db, now }, idOrEmail: string, { state, outdatedFrom }: ProfileOptions) => {
  const moment = now();
  if (outdatedFrom && state !== 'COMPLETED') throw new UsageError('--outdated-from goes with --state COMPLETED only');
  if (outdatedFrom && outdatedFrom <= moment)
    throw new UsageError('--outdated-from is past; give a later moment, or --state OUTDATED');
  const { id } = await namedTenant(db, idOrEmail);
  await setProfile(db, id, state, moment, outdatedFrom);
  return record('The profile was set.', view(await getTenant(db, id), moment));
});

/** @throws OperatorError when there is no such tenant */
export async function namedTenant(db: Database, idOrEmail: string): Promise<TenantRow> {
  const tenant = await findTenantByIdOrEmail(db, idOrEmail);
  if (!tenant)
    throw new OperatorError(`no tenant has the id or e-mail "${idOrEmail}"; list them with ${typed('tenant list')}`);
  return tenant;
}

function view(row: TenantRow, now: Date) {
  const { id, email, name, profile_completed_at, profile_outdated_at, created_at } = row;
  return {
    tenant_id: id,
    email,
    name,
    onboarding_status: onboardingStatus(row, now),
    profile_completed_at,
    profile_outdated_at,
    created_at,
  };
}
