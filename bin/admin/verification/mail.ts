import type { Command } from 'commander';
import { on } from '../../../core/errors.ts';
import { html } from '../../../core/html.ts';
import { newId } from '../../../core/ids.ts';
import { MailDelayed } from '../../../providers/mail/port.ts';
import { parseEmail } from '../cli/contract-rules.ts';
import { OperatorError } from '../cli/faults.ts';
import { record } from '../cli/output.ts';
import { example, withRuntime } from '../cli/run-command.ts';

const SENTENCE = 'This is a test of Tenant Screening: mails arrive.';

export function addMailCommands(mail: Command): void {
  mail
    .command('test')
    .description('send a test mail like an invitation, immediately and without retries')
    .requiredOption('--to <email>', 'the recipient', parseEmail)
    .addHelpText('after', example('mail test --to you@agency.example'))
    .action(test);
}

const test = withRuntime(async ({ providers }, { to }: { to: string }) => {
  const id = newId();
  const page = html`<!doctype html><html lang="en"><title>Test</title><p>${SENTENCE}</p></html>`;
  const letter = { id, messageId: id, to, subject: 'A test mail', text: SENTENCE, html: page.markup };
  await providers.mail.send(letter).catch(
    on(MailDelayed, ({ reason }) => {
      throw new OperatorError(reason);
    }),
  );
  const sentence = providers.mailbox
    ? 'The mail is in the local mailbox; nothing left this machine (MAIL_PROVIDER is sandbox).'
    : 'The mail server accepted the mail.';
  return record(sentence, { mail_id: id, to, provider: providers.mailbox ? 'sandbox' : 'smtp' });
});
