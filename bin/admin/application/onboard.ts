import { type Command, InvalidArgumentError, Option } from 'commander';
import { NotFound } from '../../../core/errors.ts';
import { canonicalId } from '../../../core/ids.ts';
import { DAY_MS } from '../../../core/time.ts';
import { linkProperty } from '../../../db/applications/linked-property.ts';
import type { Transaction } from '../../../db/connection/database.ts';
import { inTransaction } from '../../../db/connection/transactions.ts';
import { openOnboarding } from '../../../jobs/invitations/onboarding.ts';
import { mailLink } from '../../../jobs/invitations/person-mail.ts';
import { parseEmail } from '../cli/contract-rules.ts';
import { OperatorError, UsageError } from '../cli/faults.ts';
import { auditOperator } from '../cli/operator.ts';
import { record } from '../cli/output.ts';
import { commandLine, example, withRuntime } from '../cli/run-command.ts';
import { parseText } from '../cli/values.ts';
import { lockNamedApplication, lockParticipant, namedApplication } from './named.ts';

export function addLinkPropertyCommand(application: Command): void {
  application
    .command('link-property')
    .description('link an application to a property of its landlord')
    .argument('<application>', 'the id of the application', canonicalId)
    .addOption(new Option('--property <id>', 'the property').argParser(parseText).conflicts('none'))
    .addOption(new Option('--none', 'remove the link'))
    .addHelpText(
      'after',
      example(
        'application link-property <application id> --property <property id>',
        'application link-property <application id> --none',
      ),
    )
    .action(link);
}

const link = withRuntime(async ({ db, now }, id: string, { property, none }: { property?: string; none?: true }) => {
  if (property === undefined && !none) throw new UsageError('give --property <id> or --none');
  const moment = now();
  const { changed, propertyId } = await inTransaction(db, async (trx) => {
    await lockNamedApplication(trx, id);
    const linked = await linkNamedProperty(trx, id, property ?? null, moment);
    return { changed: linked, propertyId: (await namedApplication(trx, id)).property_id };
  });
  const sentence =
    propertyId === null ? 'The application is not linked to a property any more.' : 'The property was linked.';
  return record(changed ? sentence : 'It was already so; nothing changed.', {
    application_id: id,
    property_id: propertyId,
  });
});

/** Links the named property and records it. @throws OperatorError when the landlord has no such property */
async function linkNamedProperty(
  trx: Transaction,
  applicationId: string,
  propertyId: string | null,
  now: Date,
): Promise<boolean> {
  const changed = await linkProperty(trx, applicationId, propertyId, now).catch(async (error) => {
    if (!(error instanceof NotFound)) throw error;
    const { landlord_id } = await namedApplication(trx, applicationId);
    throw new OperatorError(
      `the landlord of the application has no property "${propertyId}"; list its properties with ${commandLine(`property list --landlord ${landlord_id}`)}`,
    );
  });
  const action = propertyId === null ? 'application.unlink-property' : 'application.link-property';
  if (changed) await auditOperator(trx, action, applicationId, now);
  return changed;
}

const DEFAULT_DAYS = 7;
const MAX_DAYS = 90;

export function addOnboardCommand(application: Command): void {
  application
    .command('onboard')
    .description(
      'create a single-use link with which a participant answers and completes their profile; it is shown only once',
    )
    .argument('<application>', 'the id of the application', canonicalId)
    .requiredOption('--email <email>', 'the e-mail address of the participant', parseEmail)
    .option('--property <id>', 'the landlord’s property to link the application to', parseText)
    .option('--days <n>', `how many days the link is valid, up to ${MAX_DAYS}`, parseDays, DEFAULT_DAYS)
    .option('--mail', 'also mail the participant a link to their page, where they can do the same')
    .addHelpText(
      'after',
      example('application onboard <application id> --email jonas.weber@mail.example --property <property id>'),
    )
    .action(onboard);
}

interface Options {
  email: string;
  property?: string;
  days: number;
  mail?: true;
}

const onboard = withRuntime(async (runtime, id: string, { email, property, days, mail }: Options) => {
  const { db, now, publicUrl } = runtime;
  const moment = now();
  const opened = await inTransaction(db, async (trx) => {
    const participant = await lockParticipant(trx, id, email);
    if (property !== undefined) await linkNamedProperty(trx, id, property, moment);
    const { token, link } = await openOnboarding(trx, participant, days * DAY_MS, moment);
    await auditOperator(trx, 'participant.onboard', participant.id, moment);
    if (mail) {
      await mailLink(trx, runtime, participant, moment);
      await auditOperator(trx, 'participant.mail-link', participant.id, moment);
    }
    return { token, link, participant, application: await namedApplication(trx, id) };
  });
  return record(
    'The link was made. A former one that was not used no longer works.',
    {
      onboarding_url: `${publicUrl()}/onboarding/${opened.token}`,
      expires_at: opened.link.expires_at,
      application_id: id,
      participant_id: opened.participant.id,
      email: opened.participant.email,
      property_id: opened.application.property_id,
    },
    'Give it to the participant alone: anyone who has it can answer for them. It cannot be shown again.',
  );
});

function parseDays(text: string): number {
  const days = Number(text);
  if (!/^\d{1,2}$/.test(text) || days < 1 || days > MAX_DAYS)
    throw new InvalidArgumentError(`Give a whole number of days from 1 to ${MAX_DAYS}.`);
  return days;
}
