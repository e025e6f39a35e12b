import type { DeskTexts } from '../../core/texts/desk-texts.ts';
import type { OfficeMail } from '../../providers/mail/port.ts';
import type { Runtime } from '../runtime.ts';
import { nameInMail, officeMail } from './office-mail.ts';

/** Where mails about passkeys go. */
export interface NoticeAddress {
  of: OfficeMail;
  to: string;
  t: DeskTexts;
  /** The name of the office, as its people know it. */
  office: string;
  /** The page that lists the passkeys. */
  page: string;
}

/** Tells the holder, who may not have done it. Best effort: the page lists the passkeys. */
export function mailPasskeyChange(
  { providers, log }: Pick<Runtime, 'providers' | 'log'>,
  address: NoticeAddress | undefined,
  change: 'added' | 'removed',
  name: string,
): void {
  if (!address) return;
  const { of, to, t, page } = address;
  const [office, passkey] = [nameInMail(address.office), nameInMail(name)];
  const mail = officeMail(of, to, t, {
    subject: t.text(`mail.passkey-${change}.subject`, { office }),
    text: t.text(`mail.passkey-${change}.text`, { office, passkey }),
    button: { label: t.text('mail.passkey.button'), address: page },
    note: t.text(`mail.passkey-${change}.note`),
  });
  providers.mail.send(mail).catch((err) => log.warn({ err }, 'mail about a passkey not sent'));
}
