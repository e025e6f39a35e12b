import { html } from '../../core/html.ts';
import { newId } from '../../core/ids.ts';
import { deleteLink, findAccountByName } from '../../db/access/console-accounts.ts';
import { SERVICE } from '../../db/audit/audit.ts';
import type { Runtime } from '../runtime.ts';
import { LINK_MINUTES, newLinkUnlessOpen } from './accounts.ts';

/**
 * Mails a sign-in link to an enabled account that has a mail address, unless one is valid. Best effort: operators whose mail was not sent
 * can ask again.
 * @param name as typed, untrusted
 * @param url at which browsers reach the console
 */
export async function mailSignInLink(
  runtime: Pick<Runtime, 'db' | 'now' | 'providers'>,
  name: string,
  url: string,
): Promise<void> {
  const { db, providers } = runtime;
  const account = await findAccountByName(db, name.trim().toLowerCase());
  if (!account?.mail_address || account.disabled_at !== null) return;
  const link = await newLinkUnlessOpen(runtime, account, SERVICE);
  if (!link) return;
  const id = newId();
  const to = account.mail_address;
  const mail = { id, messageId: id, to, subject: SUBJECT, ...linkMail(`${url}${link.path}`) };
  try {
    await providers.mail.send(mail);
  } catch (error) {
    // No one has this link, and while it is valid no other is mailed.
    await deleteLink(db, link.tokenHash);
    throw error;
  }
}

const SUBJECT = 'Your link to the screening console';

function linkMail(link: string): { text: string; html: string } {
  const validity = `It can be used once, within ${LINK_MINUTES} minutes. If you did not ask for it, ignore it: without it, no one can sign in.`;
  return {
    text: ['Open this link to sign in to the console:', '', link, '', validity, ''].join('\n'),
    html: html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${SUBJECT}</title></head>
<body style="margin:0;padding:24px;font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5;">
<p>Open this link to sign in to the console:</p>
<p><a href="${link}" style="word-break:break-all;">${link}</a></p>
<p>${validity}</p>
</body></html>
`.markup,
  };
}
