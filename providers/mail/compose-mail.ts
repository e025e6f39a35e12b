import type { SendMailOptions } from 'nodemailer';
import type { MailSenderSettings } from '../../core/settings/mail-settings.ts';
import type { Mail } from './port.ts';

/** The address is always one recipient, whatever it contains. */
export function composeMail(
  { messageId, to, subject, text, html, picture, stop }: Mail,
  { from, replyTo }: MailSenderSettings,
): SendMailOptions {
  return {
    from,
    ...(replyTo ? { replyTo } : {}),
    to: { name: '', address: to },
    // Untrusted text that looks like an encoded word (RFC 2047) would be decoded, possibly into a line break.
    subject: subject.replaceAll('=?', '= ?'),
    text,
    html,
    ...(picture ? { attachments: [inline(picture)] } : {}),
    messageId: `<${messageId}@${from.address.split('@').at(-1)}>`,
    // RFC 3834: suppresses automatic replies.
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(stop === undefined
        ? {}
        : { 'List-Unsubscribe': `<${stop}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
    },
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function inline({ id, content }: NonNullable<Mail['picture']>) {
  return { cid: id, content, contentType: 'image/png', contentDisposition: 'inline' as const, filename: 'logo.png' };
}
