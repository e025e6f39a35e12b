import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { MailSender } from './providers.ts';
import { writeWhole } from './write-whole.ts';

/** A local mailbox: each mail is one `.eml` file named by its id, so sending it again leaves one. Nothing leaves the machine. */
export function createMailFolder(folder: string, from: string): MailSender {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'crlf' });
  return {
    async send({ id, to, subject, text }) {
      const { message } = await transport.sendMail({
        from,
        to: { name: '', address: to },
        subject,
        text,
        messageId: `<${id}@tenant-screening>`,
      });
      if (!Buffer.isBuffer(message)) throw new Error('The mail was not composed into a buffer.');
      await writeWhole(join(folder, `${id}.eml`), message);
    },
  };
}
