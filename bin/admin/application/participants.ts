import { type Command, Option } from 'commander';
import { canonicalId } from '../../../core/ids.ts';
import { transferLead } from '../../../db/applications/applications.ts';
import type { Transaction } from '../../../db/connection/database.ts';
import { inTransaction } from '../../../db/connection/transactions.ts';
import { recordConsent } from '../../../jobs/invitations/consent.ts';
import { parseEmail } from '../cli/contract-rules.ts';
import { UsageError } from '../cli/faults.ts';
import { auditOperator, operator } from '../cli/operator.ts';
import { record } from '../cli/output.ts';
import { commandLine, example, withRuntime } from '../cli/run-command.ts';
import { lockParticipant, namedApplication } from './named.ts';

export function addConsentCommand(application: Command): void {
  application
    .command('consent')
    .description('record a participant’s answer on their behalf; it uses up their invitation link')
    .argument('<application>', 'the id of the application', canonicalId)
    .requiredOption('--email <email>', 'the e-mail address of the participant', parseEmail)
    .addOption(new Option('--accept', 'the participant accepts').conflicts('reject'))
    .addOption(new Option('--reject', 'the participant declines'))
    .addHelpText('after', example('application consent <application id> --email jonas.weber@mail.example --accept'))
    .action(consent);
}

interface Options {
  email: string;
  accept?: true;
  reject?: true;
}

const words = { pending: 'had not answered', accepted: 'had accepted', rejected: 'had declined' };

const consent = withRuntime(async (runtime, id: string, { email, accept, reject }: Options) => {
  if (!accept && !reject) throw new UsageError('give --accept or --reject');
  const answer = accept ? 'accepted' : 'rejected';
  const find = (trx: Transaction) => lockParticipant(trx, id, email);
  const { former, participant } = await recordConsent(runtime, find, answer, operator());
  const isChange = former !== answer;
  const sentence = isChange
    ? `It was recorded that the participant ${accept ? 'accepts' : 'declines'}; before, they ${words[former]}.`
    : `The participant ${words[former]} before; nothing changed.`;
  const fields = {
    application_id: id,
    participant_id: participant.id,
    email: participant.email,
    consent_status: answer,
    former_consent_status: former,
  };
  const isLeadless = isChange && reject && participant.is_lead === 1;
  const next = `They are still the lead. To make someone else the lead:\n  ${commandLine(`application transfer-lead ${id} --to <email>`)}`;
  return record(sentence, fields, isLeadless ? next : undefined);
});

export function addTransferLeadCommand(application: Command): void {
  application
    .command('transfer-lead')
    .description('make another participant, who has not declined, the lead; the former lead can then be removed')
    .argument('<application>', 'the id of the application', canonicalId)
    .requiredOption('--to <email>', 'the e-mail address of the new lead', parseEmail)
    .addHelpText('after', example('application transfer-lead <application id> --to jonas.weber@mail.example'))
    .action(transfer);
}

/** Idempotent: transferring to the current lead is a no-op. */
const transfer = withRuntime(async ({ db, now }, id: string, { to }: { to: string }) => {
  const moment = now();
  const { former, changed, lead } = await inTransaction(db, async (trx) => {
    const participant = await lockParticipant(trx, id, to);
    const { lead_email } = await namedApplication(trx, id);
    const transferred = await transferLead(trx, participant, moment);
    if (transferred) await auditOperator(trx, 'application.transfer-lead', id, moment);
    return { former: lead_email, changed: transferred, lead: participant.email };
  });
  const sentence = changed ? 'The lead was transferred.' : 'They already were the lead; nothing changed.';
  return record(sentence, { application_id: id, lead_email: lead, former_lead_email: former });
});
