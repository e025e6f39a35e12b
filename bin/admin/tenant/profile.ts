import { type Command, Option } from 'commander';
import { canonicalId } from '../../../core/ids.ts';
import { outdatedAfter } from '../../../core/rules/onboarding.ts';
import { getTenant, setProfile } from '../../../db/applications/tenants.ts';
import { inTransaction } from '../../../db/connection/transactions.ts';
import { UsageError } from '../cli/faults.ts';
import { namedTenant, tenantFields } from '../cli/named.ts';
import { auditOperator } from '../cli/operator.ts';
import { record } from '../cli/output.ts';
import { example, withRuntime } from '../cli/run-command.ts';
import { parseMoment } from '../cli/values.ts';

const states = ['COMPLETED', 'PENDING', 'OUTDATED'] as const;

export function addProfileCommand(tenant: Command): void {
  tenant
    .command('profile')
    .description("set the state of a tenant's profile, which determines the onboarding status of participants")
    .argument('<tenant>', 'the id or e-mail address of the tenant', canonicalId)
    .addOption(new Option('--state <state>', 'the new state').choices(states).makeOptionMandatory())
    .option(
      '--outdated-from <moment>',
      'with COMPLETED: the later moment at which it goes out of date, instead of after ONBOARDING_VALID_DAYS',
      parseMoment,
    )
    .addHelpText(
      'after',
      example(
        'tenant profile marta.ruiz@mail.example --state COMPLETED',
        'tenant profile marta.ruiz@mail.example --state COMPLETED --outdated-from 2030-01-31',
      ),
    )
    .action(profile);
}

interface Options {
  state: (typeof states)[number];
  outdatedFrom?: Date;
}

const profile = withRuntime(async ({ db, now, profileDays }, idOrEmail: string, options: Options) => {
  const { state, outdatedFrom } = options;
  const moment = now();
  if (outdatedFrom && state !== 'COMPLETED') throw new UsageError('--outdated-from goes with --state COMPLETED only');
  if (outdatedFrom && outdatedFrom <= moment)
    throw new UsageError('--outdated-from is in the past; give a later time, or --state OUTDATED');
  const { id } = await namedTenant(db, idOrEmail);
  const until = outdatedFrom ?? (state === 'COMPLETED' ? outdatedAfter(profileDays, moment) : undefined);
  await inTransaction(db, async (trx) => {
    await setProfile(trx, id, state, moment, until);
    await auditOperator(trx, 'tenant.profile', id, moment);
  });
  return record('The profile was set.', tenantFields(await getTenant(db, id), moment));
});
