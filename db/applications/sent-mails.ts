import type { Knex } from 'knex';
import { mailboxOf } from '../../core/rules/participants.ts';
import { DAY_MS, isoAfter } from '../../core/time.ts';
import { lockApiKey } from '../access/api-keys.ts';
import { countUse } from '../access/daily-uses.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { retried } from '../connection/transactions.ts';

/** A mail that an API key sent, or is trying to send, to an address. It no longer counts after a day. */
export interface SentMailRow {
  /** Its Message-ID, so that retries count once. */
  id: string;
  api_key_id: string;
  comparable_email: string;
  /** The mailbox behind the address; null in rows of versions that counted by address. */
  mailbox: string | null;
  sent_at: string;
}

/** A mail that is about to be sent to a participant. */
interface MailToCount extends Omit<SentMailRow, 'sent_at' | 'mailbox'> {
  participant_id: string;
}

/** How many mails an API key sends within a day to one mailbox, and in all. */
export interface MailLimits {
  perAddress: number;
  perKey: number;
}

/** `limit` is what holds a mail back until `at`; undefined when the mail was counted and may be sent now. */
export interface MailTurn {
  at: Date;
  limit?: 'address' | 'key';
}

/**
 * The rate limits of mails: counts a mail, unless its key has reached one. Addresses that differ in their tag only are one mailbox.
 * @returns when it may be sent; null when the participant was erased
 */
export async function countMail(
  trx: Transaction,
  { id, api_key_id, comparable_email, participant_id }: MailToCount,
  limits: MailLimits,
  now: Date,
): Promise<MailTurn | null> {
  // A concurrent erasure waits for this row, or has already changed its address.
  const recipient = await trx('participants').where({ id: participant_id, comparable_email }).forKeyShare().first('id');
  if (!recipient) return null;
  await lockApiKey(trx, api_key_id);
  const mailbox = mailboxOf(comparable_email);
  const since = isoAfter(now, -DAY_MS);
  const latest = (to: Partial<SentMailRow>) =>
    trx('sent_mails')
      .where({ api_key_id, ...to })
      .where('sent_at', '>', since)
      .whereNot({ id })
      .orderBy('sent_at', 'desc')
      .limit(limits.perAddress)
      .pluck('sent_at');
  // The version before counts by address.
  const counted = [...(await latest({ mailbox })), ...(await latest({ comparable_email, mailbox: null }))];
  const oldest = counted.sort().at(-limits.perAddress);
  if (oldest !== undefined) return { at: new Date(Date.parse(oldest) + DAY_MS), limit: 'address' };
  const isRetry = await trx('sent_mails').where({ id }).first('id');
  const nextDay = isRetry ? undefined : await countUse(trx, { api_key_id, kind: 'mails' }, limits.perKey, now);
  if (nextDay) return { at: nextDay, limit: 'key' };
  const counting = { id, api_key_id, comparable_email, mailbox, sent_at: now.toISOString() };
  await trx('sent_mails').insert(counting).onConflict('id').merge(['sent_at']);
  return { at: now };
}

/** Deletes mails that no longer count. */
export async function deleteCountedMails(db: Database, now: Date): Promise<void> {
  await retried(db, () => db('sent_mails').where('sent_at', '<=', isoAfter(now, -DAY_MS)).delete());
}

/**
 * @returns how many were deleted
 */
export function deleteMailsTo(trx: Transaction, comparableEmail: string, of: Knex.QueryCallback): Promise<number> {
  return trx('sent_mails').where({ comparable_email: comparableEmail }).where(of).delete();
}
