import { type Html, html } from '../../core/html.ts';
import { newId } from '../../core/ids.ts';
import { cut, oneLine, unlinked } from '../../core/text.ts';
import { type DeskTexts, deskTextsOf } from '../../core/texts/desk-texts.ts';
import type { Language } from '../../core/texts/languages.ts';
import { deleteMemberLink } from '../../db/access/member-sessions.ts';
import { findMemberships, type ListedMember } from '../../db/access/members.ts';
import { type Actor, SERVICE } from '../../db/audit/audit.ts';
import type { Runtime } from '../runtime.ts';
import { INVITATION_HOURS, MEMBER_LINK_MINUTES, type MemberLink, newMemberLink } from './member-sign-in.ts';

type Mailing = Pick<Runtime, 'db' | 'now' | 'providers' | 'publicUrl'>;

/** One address may be a member of several landlords: the mail has a link for each. */
const MAX_MEMBERSHIPS = 10;

/**
 * Mails sign-in links for the memberships of an address. Best effort: members whose mail was not sent ask again.
 * @param address as typed, untrusted
 */
export async function mailMemberLinks(runtime: Mailing, address: string, language: Language): Promise<void> {
  const members = await findMemberships(runtime.db, address.trim(), MAX_MEMBERSHIPS);
  for (const member of members) await mailMemberLink(runtime, member, { language, opens: null });
}

/** Mails a link to one member. @returns false when they have as many links as may be open */
export async function mailMemberLink(
  runtime: Mailing,
  member: ListedMember,
  { language, opens }: { language: Language; opens: string | null },
): Promise<boolean> {
  const link = await newMemberLink(runtime, member, { minutes: MEMBER_LINK_MINUTES, opens }, SERVICE);
  if (!link) return false;
  const t = deskTextsOf(member.language ?? language);
  const landlord = shown(member.landlord_name);
  await send(runtime, member, link, t, {
    subject: t.text('mail.sign-in.subject', { landlord }),
    text: t.text('mail.sign-in.text', { landlord }),
    validity: t.text('mail.sign-in.validity', { minutes: MEMBER_LINK_MINUTES }),
  });
  return true;
}

/** Mails a member their invitation to the desk. @returns the link; undefined when they have as many links as may be open */
export async function inviteMember(
  runtime: Mailing,
  member: ListedMember,
  language: Language,
  by: Actor,
): Promise<MemberLink | undefined> {
  const link = await newMemberLink(runtime, member, { minutes: INVITATION_HOURS * 60 }, by);
  if (!link) return undefined;
  const t = deskTextsOf(member.language ?? language);
  const landlord = shown(member.landlord_name);
  await send(runtime, member, link, t, {
    subject: t.text('mail.invite.subject', { landlord }),
    text: t.text('mail.invite.text', { landlord }),
    validity: t.text('mail.invite.validity', { hours: INVITATION_HOURS }),
  });
  return link;
}

function shown(landlord: string): string {
  return cut(unlinked(oneLine(landlord)), 100);
}

interface Words {
  subject: string;
  text: string;
  validity: string;
}

async function send(
  { db, providers, publicUrl }: Mailing,
  member: ListedMember,
  link: MemberLink,
  t: DeskTexts,
  words: Words,
): Promise<void> {
  const id = newId();
  const address = `${publicUrl()}${link.path}`;
  const mail = {
    id,
    messageId: `<${id}@desk>`,
    to: member.mail_address,
    subject: words.subject,
    text: [words.text, '', address, '', words.validity, ''].join('\n'),
    html: `<!doctype html>\n${asHtml(t, words, address).markup}`,
  };
  try {
    await providers.mail.send(mail);
  } catch (error) {
    // No one has this link, and it would count among the open ones.
    await deleteMemberLink(db, link.tokenHash);
    throw error;
  }
}

function asHtml(t: DeskTexts, { subject, text, validity }: Words, address: string): Html {
  return html`<html lang="${t.language}" dir="${t.direction}"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${subject}</title></head>
<body style="margin:0;padding:24px;font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5;">
<p>${text}</p>
<p><a href="${address}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#0b6b4f;color:#ffffff;text-decoration:none;font-weight:600;">${t.text('mail.button')}</a></p>
<p style="word-break:break-all;">${address}</p>
<p>${validity}</p>
</body></html>
`;
}
