import { Conflict, on } from '../../core/errors.ts';
import { type DeskTexts, deskTextsOf } from '../../core/texts/desk-texts.ts';
import type { Language } from '../../core/texts/languages.ts';
import {
  countMemberMail,
  deleteMemberMail,
  INVITATION_HOURS,
  type MemberMailKind,
  type MemberMailLimits,
} from '../../db/access/member-mails.ts';
import {
  findMember,
  findMemberships,
  type ListedMember,
  lockMembers,
  type MemberRow,
  type NewMember,
} from '../../db/access/members.ts';
import { deleteLink } from '../../db/access/sign-in.ts';
import { type Actor, SERVICE } from '../../db/audit/audit.ts';
import type { Transaction } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { nameInMail, officeMail } from '../access/office-mail.ts';
import { addSignInLinkIn, LINK_MINUTES, type NewLink, type SignInLink } from '../access/sign-in.ts';
import type { Runtime } from '../runtime.ts';
import { addMemberIn, MAX_MEMBERS } from './members.ts';

type Counting = Pick<Runtime, 'dailyMails' | 'now'>;
type Mailing = Counting & Pick<Runtime, 'db' | 'providers' | 'publicUrl'>;

/** One address may be a member of several landlords: the mail has a link for each. */
const MAX_MEMBERSHIPS = 10;
/**
 * How many sign-in links are mailed within a day to the mailbox of a member who has signed in. Strangers can cause three each ten minutes, 432 a
 * day: a lower limit would let them keep a member from signing in.
 */
const MAX_LINKS_A_DAY = 500;

/** As many mails were sent within a day as may be. */
export class TooManyMails extends Conflict {
  readonly reached: keyof MemberMailLimits;
  readonly limit: number;

  constructor(reached: keyof MemberMailLimits, limit: number) {
    super(
      reached === 'perMailbox'
        ? `At most ${limit} such mails go to one mailbox within 24 hours: look into the mailbox, or try again later.`
        : `A landlord invites at most ${limit} people within 24 hours: invite others later.`,
    );
    this.reached = reached;
    this.limit = limit;
  }
}

/**
 * Mails sign-in links for the memberships of an address. Best effort: members whose mail was not sent ask again.
 * @param address as typed, untrusted
 */
export async function mailMemberLinks(runtime: Mailing, address: string, language: Language): Promise<void> {
  const members = await findMemberships(runtime.db, address.trim(), MAX_MEMBERSHIPS);
  for (const member of members)
    await mailMemberLink(runtime, member, { language, opens: null }).catch(on(TooManyMails, () => false));
}

/** Mails a link to one member. @returns false when they have as many links as may be open @throws TooManyMails */
export async function mailMemberLink(
  runtime: Mailing,
  member: ListedMember,
  { language, opens }: { language: Language; opens: string | null },
): Promise<boolean> {
  const link = await inTransaction(runtime.db, (trx) =>
    addMailedLink(trx, runtime, 'link', member, { opens }, SERVICE),
  );
  if (!link) return false;
  const t = deskTextsOf(member.language ?? language);
  const landlord = nameInMail(member.landlord_name);
  await send(runtime, 'member-link', member, link, t, {
    subject: t.text('mail.sign-in.subject', { landlord }),
    text: t.text('mail.sign-in.text', { landlord }),
    validity: t.text('mail.sign-in.validity', { minutes: LINK_MINUTES }),
  });
  return true;
}

/**
 * Mails a member their invitation to the desk.
 * @returns the link; undefined when they have as many links as may be open @throws TooManyMails
 */
export async function inviteMember(
  runtime: Mailing,
  member: ListedMember,
  language: Language,
  by: Actor,
): Promise<SignInLink | undefined> {
  const link = await inTransaction(runtime.db, async (trx) => {
    await lockMembers(trx, member.landlord_id);
    return addInvitation(trx, runtime, member, by);
  });
  if (link) await sendInvitation(runtime, member, link, language);
  return link;
}

/**
 * Adds a member and mails them their invitation. @returns undefined when the address is a member already; without a link when they were added
 * but not mailed @throws TooManyMembers, TooManyMails
 */
export async function addInvitedMember(
  runtime: Mailing & Pick<Runtime, 'log'>,
  member: NewMember,
  keyIds: readonly string[],
  language: Language,
  by: Actor,
): Promise<{ member: ListedMember; link: SignInLink | undefined } | undefined> {
  const { db, now } = runtime;
  const added = await inTransaction(db, async (trx) => {
    const row = await addMemberIn(trx, member, keyIds, by, now());
    return row && { row, link: await addInvitation(trx, runtime, row, by) };
  });
  const listed = added && (await findMember(db, added.row.landlord_id, added.row.id));
  if (!listed) return undefined;
  const { link } = added;
  const isMailed =
    link &&
    (await sendInvitation(runtime, listed, link, language).then(
      () => true,
      (err: unknown) => runtime.log.warn({ err, member: listed.id }, 'member added but not mailed'),
    ));
  return { member: listed, link: isMailed ? link : undefined };
}

/** The caller has locked the landlord's members. */
function addInvitation(trx: Transaction, counting: Counting, member: MemberRow, by: Actor) {
  return addMailedLink(trx, counting, 'invitation', member, { minutes: INVITATION_HOURS * 60 }, by);
}

/** A link that will be mailed. @returns undefined when as many are valid as may be @throws TooManyMails */
async function addMailedLink(
  trx: Transaction,
  counting: Counting,
  kind: MemberMailKind,
  member: MemberRow,
  link: NewLink,
  by: Actor,
): Promise<SignInLink | undefined> {
  const now = counting.now();
  const added = await addSignInLinkIn(trx, { of: 'member_id', id: member.id }, link, by, now);
  if (!added) return undefined;
  const limits = limitsOf(kind, counting, member);
  const reached = await countMemberMail(trx, kind, { ...member, id: added.tokenHash }, limits, now);
  if (reached) throw new TooManyMails(reached, limits[reached] ?? 0);
  return added;
}

/** Who has never signed in may be someone whom the landlord only knows by an address. */
function limitsOf(kind: MemberMailKind, { dailyMails }: Counting, { last_signed_in_at }: MemberRow): MemberMailLimits {
  const { perAddress } = dailyMails;
  if (kind === 'invitation') return { perMailbox: perAddress, perLandlord: MAX_MEMBERS };
  return { perMailbox: last_signed_in_at === null ? perAddress : MAX_LINKS_A_DAY };
}

interface Words {
  subject: string;
  text: string;
  validity: string;
}

function sendInvitation(runtime: Mailing, member: ListedMember, link: SignInLink, language: Language): Promise<void> {
  const t = deskTextsOf(member.language ?? language);
  const landlord = nameInMail(member.landlord_name);
  return send(runtime, 'member-invitation', member, link, t, {
    subject: t.text('mail.invite.subject', { landlord }),
    text: t.text('mail.invite.text', { landlord }),
    validity: t.text('mail.invite.validity', { hours: INVITATION_HOURS }),
  });
}

async function send(
  { db, providers, publicUrl }: Mailing,
  kind: 'member-link' | 'member-invitation',
  member: ListedMember,
  link: SignInLink,
  t: DeskTexts,
  { subject, text, validity }: Words,
): Promise<void> {
  const button = { label: t.text('mail.button'), address: `${publicUrl()}${link.path}` };
  const of = { kind, office: { landlordId: member.landlord_id } };
  try {
    await providers.mail.send(officeMail(of, member.mail_address, t, { subject, text, button, note: validity }));
  } catch (error) {
    // No one has this link, and it would count among the open ones.
    await deleteLink(db, 'member_id', link.tokenHash);
    await deleteMemberMail(db, link.tokenHash);
    throw error;
  }
}
