import { mailboxOf } from '../../core/rules/participants.ts';
import { DAY_MS, isoAfter } from '../../core/time.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { retried } from '../connection/transactions.ts';
import type { MemberRow } from './members.ts';

/** `invitation`: caused by an admin, to an address that may be anyone's. `link`: anyone may ask for one. */
export type MemberMailKind = 'invitation' | 'link';

/** How long the link in an invitation is valid. */
export const INVITATION_HOURS = 72;

/** A mail to a member. It no longer counts after a day. */
export interface MemberMailRow {
  id: string;
  landlord_id: string;
  kind: MemberMailKind;
  /** The mailbox behind the address. */
  mailbox: string;
  sent_at: string;
}

/** How many mails of a kind a landlord causes within a day: to one mailbox, and in all. */
export interface MemberMailLimits {
  perMailbox: number;
  perLandlord?: number;
}

/**
 * Counts a mail, unless a limit is reached. Addresses that differ in their tag only are one mailbox. The caller has locked the landlord, or the
 * member.
 * @returns the limit that is reached; undefined when the mail was counted
 */
export async function countMemberMail(
  trx: Transaction,
  kind: MemberMailKind,
  { id, landlord_id, comparable_email }: Pick<MemberRow, 'landlord_id' | 'comparable_email'> & { id: string },
  { perMailbox, perLandlord }: MemberMailLimits,
  now: Date,
): Promise<keyof MemberMailLimits | undefined> {
  const mailbox = mailboxOf(comparable_email);
  const hasReached = async (limit: number, of: Partial<MemberMailRow>) => {
    const sent = trx('member_mails')
      .where({ landlord_id, kind, ...of })
      .where('sent_at', '>', isoAfter(now, -DAY_MS));
    return (await sent.limit(limit).pluck('id')).length >= limit;
  };
  if (await hasReached(perMailbox, { mailbox })) return 'perMailbox';
  if (perLandlord !== undefined && (await hasReached(perLandlord, {}))) return 'perLandlord';
  await trx('member_mails').insert({ id, landlord_id, kind, mailbox, sent_at: now.toISOString() });
  return undefined;
}

/** A mail that was not sent does not count. */
export async function deleteMemberMail(db: Database, id: string): Promise<void> {
  await retried(db, () => db('member_mails').where({ id }).delete());
}

/** Deletes mails that no longer count. */
export async function deleteCountedMemberMails(db: Database, now: Date): Promise<void> {
  await retried(db, () => db('member_mails').where('sent_at', '<=', isoAfter(now, -DAY_MS)).delete());
}
