import { type Command, InvalidArgumentError } from 'commander';
import { canonicalId } from '../../../core/ids.ts';
import {
  type LandlordSettings,
  type LandlordTexts,
  periodNames,
  periodSettings,
  readLandlordText,
} from '../../../core/rules/landlord-settings.ts';
import { usualDocuments } from '../../../core/rules/wanted-documents.ts';
import { readDays } from '../../../core/settings/retention-settings.ts';
import { findLandlordSettings, setLandlordSettings } from '../../../db/access/landlord-settings.ts';
import { lockLandlord } from '../../../db/access/landlords.ts';
import type { Database } from '../../../db/connection/database.ts';
import { UsageError } from '../cli/faults.ts';
import { namedLandlord } from '../cli/named.ts';
import { audited } from '../cli/operator.ts';
import { record } from '../cli/output.ts';
import { example, withRuntime } from '../cli/run-command.ts';

const NOTES = `
Without options, it shows the settings. A list of documents names kinds, each
with how many (1) and how many months old at most (any age): "identity,
payslip:3:3, bank_statement:1:3". A country's code stands for what is usual
there: ${Object.keys(usualDocuments).join(', ')}. Without a list, it is
what is usual where the landlord's language is spoken; "any" asks for no kind.
Guarantors hand in the same, unless they have a list of their own. Mails count
towards the daily limits.`;

export function addLandlordSettingsCommand(landlord: Command): void {
  landlord
    .command('settings')
    .description('set what applicants read on pages and in mails: contact, privacy notice, wanted documents')
    .argument('<landlord>', 'the id of the landlord', canonicalId)
    .option('--contact-name <name>', 'who answers questions', textOf('contact_name'))
    .option('--no-contact-name', 'show only the landlord’s name')
    .option('--contact-mail <address>', 'the e-mail address for questions', textOf('contact_mail'))
    .option('--no-contact-mail', 'show none')
    .option('--contact-phone <number>', 'the phone number for questions', textOf('contact_phone'))
    .option('--no-contact-phone', 'show none')
    .option('--privacy-notice <address>', 'the https address of the privacy notice', textOf('privacy_url'))
    .option('--no-privacy-notice', 'link none')
    .option('--imprint <address>', 'the https address of the imprint', textOf('imprint_url'))
    .option('--no-imprint', 'link none')
    .option('--documents <list>', 'the documents that applicants should hand in', textOf('documents'))
    .option('--no-documents', 'ask for what is usual')
    .option('--guarantor-documents <list>', 'the documents of guarantors', textOf('guarantor_documents'))
    .option('--no-guarantor-documents', 'ask guarantors for the same documents')
    .option(
      '--rent-rule <rule>',
      'how rent and income should relate: 35% of the income at most, or 3x the rent at least',
      textOf('rent_rule'),
    )
    .option('--no-rent-rule', 'compare without a rule')
    .option('--retain-applications <days>', 'delete applications sooner than the service does', parseDays)
    .option('--no-retain-applications', 'delete them when the service does')
    .option('--retain-documents <days>', 'delete documents, bank data and reports sooner', parseDays)
    .option('--no-retain-documents', 'delete them when the service does')
    .option('--retain-verifications <days>', 'delete results of identity checks sooner', parseDays)
    .option('--no-retain-verifications', 'delete them when the service does')
    .option('--retain-analyses <days>', 'delete results of analyses sooner', parseDays)
    .option('--no-retain-analyses', 'delete them when the service does')
    .option('--mail-lead <on|off>', 'mail the lead a link when an application is created through the API', parseSwitch)
    .option('--mail-progress <on|off>', 'confirm, and tell when checks are done', parseSwitch)
    .option('--mail-reminders <on|off>', 'remind of what is open, twice at most', parseSwitch)
    .addHelpText('after', NOTES)
    .addHelpText(
      'after',
      example(
        'landlord settings <landlord id> --contact-mail rent@casa-clara.example --contact-phone "+34 910 000 000"',
        'landlord settings <landlord id> --documents es --mail-lead on',
        'landlord settings <landlord id> --retain-documents 60',
      ),
    )
    .action(settings);
}

function textOf(name: keyof LandlordTexts): (text: string) => string {
  return (text) => {
    const { value, fault } = readLandlordText(name, text);
    if (fault !== undefined) throw new InvalidArgumentError(`It ${fault}`);
    return value;
  };
}

function parseDays(text: string): number {
  const days = readDays(text);
  if (days === undefined) throw new InvalidArgumentError('Give a whole number of days.');
  return days;
}

function parseSwitch(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('Give on or off.');
  return text === 'on';
}

/** Commander gives false for an option that begins with `--no-`. */
interface Options {
  contactName?: string | false;
  contactMail?: string | false;
  contactPhone?: string | false;
  privacyNotice?: string | false;
  imprint?: string | false;
  documents?: string | false;
  guarantorDocuments?: string | false;
  rentRule?: string | false;
  retainApplications?: number | false;
  retainDocuments?: number | false;
  retainVerifications?: number | false;
  retainAnalyses?: number | false;
  mailLead?: boolean;
  mailProgress?: boolean;
  mailReminders?: boolean;
}

const settings = withRuntime(async ({ db, retention, now }, id: string, options: Options) => {
  await namedLandlord(db, id);
  const change = changeIn(options);
  for (const name of periodNames) {
    const limit = retention[periodSettings[name]];
    if (limit !== undefined && (change[name] ?? 0) > limit)
      throw new UsageError(`${periodSettings[name]} is ${limit}: a landlord may choose fewer days only`);
  }
  if (Object.keys(change).length === 0) return record('The settings:', await fieldsOf(db, id));
  const isChanged = await audited(db, ['landlord.settings', id, now()], async (trx) => {
    await lockLandlord(trx, id);
    return setLandlordSettings(trx, id, change);
  });
  const sentence = isChanged
    ? 'The settings were changed.'
    : 'The landlord already had these settings; nothing changed.';
  return record(sentence, await fieldsOf(db, id));
});

function changeIn(options: Options): Partial<LandlordSettings> {
  const given = {
    contact_name: options.contactName,
    contact_mail: options.contactMail,
    contact_phone: options.contactPhone,
    privacy_url: options.privacyNotice,
    imprint_url: options.imprint,
    documents: options.documents,
    guarantor_documents: options.guarantorDocuments,
    rent_rule: options.rentRule,
    retain_applications_days: options.retainApplications,
    retain_documents_days: options.retainDocuments,
    retain_verifications_days: options.retainVerifications,
    retain_analyses_days: options.retainAnalyses,
  };
  const values = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value === false ? null : value]],
  );
  const { mailLead, mailProgress, mailReminders } = options;
  return {
    ...Object.fromEntries(values),
    ...(mailLead === undefined ? {} : { mails_lead: mailLead }),
    ...(mailProgress === undefined ? {} : { mails_progress: mailProgress }),
    ...(mailReminders === undefined ? {} : { mails_reminders: mailReminders }),
  };
}

async function fieldsOf(db: Database, id: string) {
  const { name } = await namedLandlord(db, id);
  return { landlord_id: id, name, ...(await findLandlordSettings(db, id)) };
}
