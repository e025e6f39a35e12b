import { deskTextsOf } from '../../core/texts/desk-texts.ts';
import { type ConsoleAccountRow, findAccountByName } from '../../db/access/console-accounts.ts';
import { deleteLink } from '../../db/access/sign-in.ts';
import { SERVICE } from '../../db/audit/audit.ts';
import { officeMail } from '../access/office-mail.ts';
import { addSignInLink, LINK_MINUTES } from '../access/sign-in.ts';
import type { Runtime } from '../runtime.ts';

type Mailing = Pick<Runtime, 'db' | 'now' | 'providers'>;

/**
 * Mails a sign-in link to an enabled account that has a mail address, unless one is valid. Best effort: operators whose mail was not sent
 * can ask again.
 * @param name as typed, untrusted
 * @param url at which browsers reach the console
 */
export async function mailSignInLink(runtime: Mailing, name: string, url: string): Promise<void> {
  const account = await findAccountByName(runtime.db, name.trim().toLowerCase());
  if (account) await mailLinkTo(runtime, account, { url, opens: null });
}

/** Mails a link to one operator. @returns false without an address, when disabled, and while another link is valid */
export async function mailLinkTo(
  runtime: Mailing,
  account: ConsoleAccountRow,
  { url, opens }: { url: string; opens: string | null },
): Promise<boolean> {
  const { db, providers } = runtime;
  if (!account.mail_address || account.disabled_at !== null) return false;
  const link = await addSignInLink(runtime, { of: 'account_id', id: account.id }, { opens }, SERVICE);
  if (!link) return false;
  const t = deskTextsOf('en');
  const mail = officeMail({ kind: 'operator-link', office: 'console' }, account.mail_address, t, {
    subject: 'Your link to the screening console',
    text: 'Open this link to sign in to the console:',
    button: { label: t.text('mail.button'), address: `${url}${link.path}` },
    note: t.text('mail.sign-in.validity', { minutes: LINK_MINUTES }),
  });
  try {
    await providers.mail.send(mail);
  } catch (error) {
    // No one has this link, and while it is valid no other is mailed.
    await deleteLink(db, 'account_id', link.tokenHash);
    throw error;
  }
  return true;
}
