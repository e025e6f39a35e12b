import type { Command } from 'commander';
import { on } from '../../../core/errors.ts';
import { html } from '../../../core/html.ts';
import { canonicalId, newId } from '../../../core/ids.ts';
import type { Runtime } from '../../../jobs/runtime.ts';
import { type KeptMail, type Mailbox, MailDelayed } from '../../../providers/mail/port.ts';
import { parseEmail } from '../cli/contract-rules.ts';
import { OperatorError } from '../cli/faults.ts';
import { expectFound } from '../cli/named.ts';
import { list, plain, record } from '../cli/output.ts';
import { commandLine, example, withRuntime } from '../cli/run-command.ts';
import { limitOption } from '../cli/values.ts';

const SENTENCE = 'This is a test of Tenant Screening: mails arrive.';

export function addMailCommands(mail: Command): void {
  mail
    .command('test')
    .description('send a test mail like an invitation, immediately and without retries')
    .requiredOption('--to <email>', 'the recipient', parseEmail)
    .addHelpText('after', example('mail test --to you@agency.example'))
    .action(test);
  mail
    .command('list')
    .description('list the mails to operators that the sandbox keeps for three days, newest first')
    .addOption(limitOption())
    .addHelpText('after', example('mail list'))
    .action(listKept);
  mail
    .command('show')
    .description('show a mail to an operator, such as one with a sign-in link')
    .argument('<mail>', 'the id of the mail', canonicalId)
    .addHelpText('after', example('mail show <mail id>'))
    .action(showKept);
}

const test = withRuntime(async ({ providers }, { to }: { to: string }) => {
  const id = newId();
  const page = html`<!doctype html><html lang="en"><title>Test</title><p>${SENTENCE}</p></html>`;
  const of = { kind: 'test', office: 'console' } as const;
  const letter = { id, of, messageId: id, to, subject: 'A test mail', text: SENTENCE, html: page.markup };
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

/** @throws OperatorError where mails are sent */
function mailboxOf({ providers }: Pick<Runtime, 'providers'>): Mailbox {
  if (providers.mailbox) return providers.mailbox;
  throw new OperatorError('mails are sent, and none is kept (MAIL_PROVIDER is smtp)');
}

function fieldsOf(id: string, { to, subject, sentAt }: KeptMail) {
  return { mail_id: id, to, subject, sent_at: sentAt.toISOString() };
}

const listKept = withRuntime(async (runtime, { limit }: { limit: number }) => {
  const mailbox = mailboxOf(runtime);
  const rows = [];
  for (const id of await mailbox.list('console', limit + 1)) {
    const mail = await mailbox.read(id, 'console');
    if (mail) rows.push(fieldsOf(id, mail));
  }
  return list(rows, {
    columns: ['mail_id', 'to', 'subject', 'sent_at'],
    cut: ['subject', 'to'],
    drop: ['sent_at'],
    limit,
    empty: 'No mail to an operator is kept. Those to members and applicants are on the page /mailbox.',
    note: `Read one with ${commandLine('mail show <mail id>')}.`,
  });
});

const showKept = withRuntime(async (runtime, id: string) => {
  const mail = expectFound(await mailboxOf(runtime).read(id, 'console'), 'mail to an operator', id, 'mail list');
  const fields = fieldsOf(id, mail);
  return { json: { ...fields, text: mail.text }, text: record(mail.subject, fields, plainLines(mail.text)).text };
});

/** Its lines stay apart. */
function plainLines(text: string): string {
  return text.trim().split('\n').map(plain).join('\n');
}
