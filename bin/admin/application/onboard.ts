import { type Command, InvalidArgumentError } from 'commander';
import { DAY_MS } from '../../../core/time.ts';
import { openOnboarding } from '../../../jobs/invitations/onboarding.ts';
import { parseEmail } from '../cli/contract-rules.ts';
import { auditOperator } from '../cli/operator.ts';
import { record } from '../cli/output.ts';
import { example, withRuntime } from '../cli/run-command.ts';
import { parseText } from '../cli/values.ts';
import { linkNamedProperty } from './link-property.ts';
import { lockParticipant, namedApplication } from './named.ts';

const DEFAULT_DAYS = 7;
const MOST_DAYS = 90;

export function addOnboardCommand(application: Command): void {
  application
    .command('onboard')
    .description('make a link by which a participant completes their profile, once; it is shown this once')
    .argument('<application>', 'the id of the application')
    .requiredOption('--email <email>', 'the e-mail address of the participant', parseEmail)
    .option('--property <id>', 'the property of the landlord that the application is about from now on', parseText)
    .option('--days <n>', `for how many days the link can be used, up to ${MOST_DAYS}`, parseDays, DEFAULT_DAYS)
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
}

const onboard = withRuntime(async ({ db, now, publicUrl }, id: string, { email, property, days }: Options) => {
  const moment = now();
  const opened = await db.transaction(async (trx) => {
    const participant = await lockParticipant(trx, id, email);
    if (property !== undefined) await linkNamedProperty(trx, id, property, moment);
    const { token, link } = await openOnboarding(trx, participant, days * DAY_MS, moment);
    await auditOperator(trx, 'participant.onboard', participant.id, moment);
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
    'Give it to the participant alone: whoever has it can confirm their name. It cannot be shown again.',
  );
});

function parseDays(text: string): number {
  const days = Number(text);
  if (!/^\d{1,2}$/.test(text) || days < 1 || days > MOST_DAYS)
    throw new InvalidArgumentError(`Give a whole number of days from 1 to ${MOST_DAYS}.`);
  return days;
}
