import { type DeskTexts, deskTextsOf } from '../../core/texts/desk-texts.ts';
import type { Language } from '../../core/texts/languages.ts';
import { findMember, findMemberships, type ListedMember, type NewMember } from '../../db/access/members.ts';
import { deleteLink } from '../../db/access/sign-in.ts';
import { type Actor, SERVICE } from '../../db/audit/audit.ts';
import { nameInMail, officeMail } from '../access/office-mail.ts';
import { addSignInLink, LINK_MINUTES, type SignInLink } from '../access/sign-in.ts';
import type { Runtime } from '../runtime.ts';
import { addMember } from './members.ts';

type Mailing = Pick<Runtime, 'db' | 'now' | 'providers' | 'publicUrl'>;

/** How long the link in an invitation is valid. */
export const INVITATION_HOURS = 72;
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
  const link = await addSignInLink(runtime, { of: 'member_id', id: member.id }, { opens }, SERVICE);
  if (!link) return false;
  const t = deskTextsOf(member.language ?? language);
  const landlord = nameInMail(member.landlord_name);
  await send(runtime, member, link, t, {
    subject: t.text('mail.sign-in.subject', { landlord }),
    text: t.text('mail.sign-in.text', { landlord }),
    validity: t.text('mail.sign-in.validity', { minutes: LINK_MINUTES }),
  });
  return true;
}

/** Mails a member their invitation to the desk. @returns the link; undefined when they have as many links as may be open */
export async function inviteMember(
  runtime: Mailing,
  member: ListedMember,
  language: Language,
  by: Actor,
): Promise<SignInLink | undefined> {
  const link = await addSignInLink(runtime, { of: 'member_id', id: member.id }, { minutes: INVITATION_HOURS * 60 }, by);
  if (!link) return undefined;
  const t = deskTextsOf(member.language ?? language);
  const landlord = nameInMail(member.landlord_name);
  await send(runtime, member, link, t, {
    subject: t.text('mail.invite.subject', { landlord }),
    text: t.text('mail.invite.text', { landlord }),
    validity: t.text('mail.invite.validity', { hours: INVITATION_HOURS }),
  });
  return link;
}

/**
 * Adds a member and mails them their invitation. @returns undefined when the address is a member already; without a link when they were added
 * but not mailed
 */
export async function addInvitedMember(
  runtime: Mailing & Pick<Runtime, 'log'>,
  member: NewMember,
  keyIds: readonly string[],
  language: Language,
  by: Actor,
): Promise<{ member: ListedMember; link: SignInLink | undefined } | undefined> {
  const added = await addMember(runtime, member, keyIds, by);
  const listed = added && (await findMember(runtime.db, added.landlord_id, added.id));
  if (!listed) return undefined;
  const link = await inviteMember(runtime, listed, language, by).catch((err: unknown) => {
    runtime.log.warn({ err, member: listed.id }, 'member added but not mailed');
    return undefined;
  });
  return { member: listed, link };
}

interface Words {
  subject: string;
  text: string;
  validity: string;
}

async function send(
  { db, providers, publicUrl }: Mailing,
  member: ListedMember,
  link: SignInLink,
  t: DeskTexts,
  { subject, text, validity }: Words,
): Promise<void> {
  const button = { label: t.text('mail.button'), address: `${publicUrl()}${link.path}` };
  try {
    await providers.mail.send(officeMail(member.mail_address, t, { subject, text, button, note: validity }));
  } catch (error) {
    // No one has this link, and it would count among the open ones.
    await deleteLink(db, 'member_id', link.tokenHash);
    throw error;
  }
}
