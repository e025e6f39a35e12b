import { type Command, Option } from 'commander';
import { canonicalId } from '../../../core/ids.ts';
import { type DocumentType, documentTypes } from '../../../core/rules/document-types.ts';
import { inTransaction } from '../../../db/connection/transactions.ts';
import { askForDocument, mailLink } from '../../../jobs/invitations/person-mail.ts';
import { parseEmail } from '../cli/contract-rules.ts';
import { auditOperator } from '../cli/operator.ts';
import { record } from '../cli/output.ts';
import { commandLine, example, withRuntime } from '../cli/run-command.ts';
import { parseText } from '../cli/values.ts';
import { lockParticipant } from './named.ts';

export function addPersonMailCommands(application: Command): void {
  application
    .command('mail-link')
    .description('mail a participant, such as the lead, a link to their page; earlier links stay valid')
    .argument('<application>', 'the id of the application', canonicalId)
    .requiredOption('--email <email>', 'the e-mail address of the participant', parseEmail)
    .addHelpText('after', example('application mail-link <application id> --email marta.ruiz@mail.example'))
    .action(link);
  application
    .command('ask-document')
    .description('ask a participant for one document, again, with a reason that they read')
    .argument('<application>', 'the id of the application', canonicalId)
    .requiredOption('--email <email>', 'the e-mail address of the participant', parseEmail)
    .addOption(new Option('--type <type>', 'the kind of document').choices(documentTypes).makeOptionMandatory())
    .requiredOption('--reason <text>', 'why, in words for the person', parseText)
    .addHelpText(
      'after',
      example(
        'application ask-document <application id> --email jonas.weber@mail.example --type payslip --reason "Page 2 is missing."',
      ),
    )
    .action(ask);
}

const link = withRuntime(async (runtime, id: string, { email }: { email: string }) => {
  const participant = await inTransaction(runtime.db, async (trx) => {
    const found = await lockParticipant(trx, id, email);
    await mailLink(trx, runtime, found, runtime.now());
    await auditOperator(trx, 'participant.mail-link', found.id, runtime.now());
    return found;
  });
  return record(
    'A link is being mailed.',
    fieldsOf(id, participant),
    `To follow it:\n  ${commandLine(`invite list --application ${id}`)}`,
  );
});

const ask = withRuntime(
  async (runtime, id: string, { email, type, reason }: { email: string; type: DocumentType; reason: string }) => {
    const participant = await inTransaction(runtime.db, async (trx) => {
      const found = await lockParticipant(trx, id, email);
      await askForDocument(trx, runtime, found, { type, reason }, runtime.now());
      await auditOperator(trx, 'participant.ask-document', found.id, runtime.now());
      return found;
    });
    return record('The document is requested, by mail and on the page of the person.', {
      ...fieldsOf(id, participant),
      type,
      reason,
    });
  },
);

function fieldsOf(application_id: string, { id, email }: { id: string; email: string }) {
  return { application_id, participant_id: id, email };
}
