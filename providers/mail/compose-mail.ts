import type { SendMailOptions } from 'nodemailer';
import type { MailSenderSettings } from '../../core/settings/mail-settings.ts';
import type { Mail } from './port.ts';

/** As it goes out. The address is one recipient, whatever is in it. */
export function composeMail(
  { messageId, to, subject, text, html }: Mail,
  { from, replyTo }: MailSenderSettings,
): SendMailOptions {
  return {
    from,
    ...(replyTo ? { replyTo } : {}),
    to: { name: '', address: to },
    // Somebody's text that looks like an encoded word (RFC 2047) would be read as what it encodes: a line break, for one.
    subject: subject.replaceAll('=?', '= ?'),
    text,
    html,
    messageId: `<${messageId}@${from.address.split('@').at(-1)}>`,
    // RFC 3834: nobody's holiday message should answer.
    headers: { 'Auto-Submitted': 'auto-generated' },
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
