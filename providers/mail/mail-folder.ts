import { access, constants, mkdir } from 'node:fs/promises';
import { createTransport } from 'nodemailer';
import PostalMime, { type Attachment } from 'postal-mime';
import { ProviderUnavailable } from '../../core/errors.ts';
import type { MailSenderSettings } from '../../core/settings/mail-settings.ts';
import { writeAtomically } from '../documents/disk.ts';
import { composeMail } from './compose-mail.ts';
import { createLocalMails, fileOf } from './local-mails.ts';
import type { Mailbox, MailSender } from './port.ts';

/** A local mailbox: one `.eml` file per mail, named by its id, so sending is idempotent. Nothing leaves the machine. */
export function createMailFolder(folder: string, sender: MailSenderSettings): MailSender & Mailbox {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'crlf' });
  const kept = createLocalMails(folder);
  return {
    async send(mail) {
      const { message } = await transport.sendMail(composeMail(mail, sender));
      if (!Buffer.isBuffer(message)) throw new Error('The mail was not composed into a buffer.');
      await writeAtomically(fileOf(folder, mail), message);
    },
    async check() {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await access(folder, constants.R_OK | constants.W_OK).catch(() => {
        throw new ProviderUnavailable('The folder of the local mailbox cannot be written.');
      });
    },
    async close() {},
    list: kept.list,
    async read(id, office) {
      const file = await kept.read(id, office);
      if (!file) return undefined;
      const { to = [], subject = '', date = '', text = '', html = '', attachments } = await parsed(file);
      const shown = attachments.reduce(withPicture, html);
      return { to: to[0]?.address ?? '', subject, sentAt: new Date(date), text, html: shown };
    },
  };
}

function parsed(file: Buffer) {
  return PostalMime.parse(file, { attachmentEncoding: 'base64' });
}

/** Shows a picture of the mail where the HTML refers to it. */
function withPicture(html: string, { contentId = '', mimeType, content }: Attachment): string {
  return html.replaceAll(`"cid:${contentId.replace(/^<(.*)>$/, '$1')}"`, `"data:${mimeType};base64,${content}"`);
}
