import type { Command } from 'commander';
import { transferLead } from '../../../db/applications/applications.ts';
import { parseEmail } from '../cli/contract-rules.ts';
import { auditOperator } from '../cli/operator.ts';
import { record } from '../cli/output.ts';
import { example, withRuntime } from '../cli/run-command.ts';
import { lockParticipant, namedApplication } from './named.ts';

export function addTransferLeadCommand(application: Command): void {
  application
    .command('transfer-lead')
    .description('make another participant the lead, who must not have declined; the former lead can then be removed')
    .argument('<application>', 'the id of the application')
    .requiredOption('--to <email>', 'the e-mail address of the participant who leads from now on', parseEmail)
    .addHelpText('after', example('application transfer-lead <application id> --to jonas.weber@mail.example'))
    .action(transfer);
}

/** Idempotent: transferring to the current lead is a no-op. */
const transfer = withRuntime(async ({ db, now }, id: string, { to }: { to: string }) => {
  const moment = now();
  const { former, changed, lead } = await db.transaction(async (trx) => {
    const participant = await lockParticipant(trx, id, to);
    const { lead_email } = await namedApplication(trx, id);
    const transferred = await transferLead(trx, participant, moment);
    if (transferred) await auditOperator(trx, 'application.transfer-lead', id, moment);
    return { former: lead_email, changed: transferred, lead: participant.email };
  });
  const sentence = changed ? 'The lead was transferred.' : 'They were the lead before; nothing changed.';
  return record(sentence, { application_id: id, lead_email: lead, former_lead_email: former });
});
