import { DAY_MS, isoAfter } from '../../core/time.ts';
import { lockApiKey } from '../access/api-keys.ts';
import type { Database, Transaction } from '../connection/connect.ts';
import { retried } from '../connection/transactions.ts';

/** A mail that an API key sent to an address, or tries to send; a day later it no longer counts. */
export interface SentMailRow {
  /** Its Message-ID, so that another attempt counts once. */
  id: string;
  api_key_id: string;
  comparable_email: string;
  sent_at: string;
}

/** A mail to a participant that is about to be sent. */
interface MailToCount extends Omit<SentMailRow, 'sent_at'> {
  participant_id: string;
}

/**
 * Counts a mail, unless its key has sent `limit` to the address within a day.
 * @returns from when on it may be sent; `now` when it was counted and may be sent, null when the participant was erased
 */
export async function countMail(
  trx: Transaction,
  { id, api_key_id, comparable_email, participant_id }: MailToCount,
  limit: number,
  now: Date,
): Promise<Date | null> {
  // An erasure waits for this row, or has changed its address.
  const recipient = await trx('participants').where({ id: participant_id, comparable_email }).forKeyShare().first('id');
  if (!recipient) return null;
  await lockApiKey(trx, api_key_id);
  const counted = await trx('sent_mails')
    .where({ api_key_id, comparable_email })
    .where('sent_at', '>', isoAfter(now, -DAY_MS))
    .whereNot({ id })
    .orderBy('sent_at', 'desc')
    .limit(limit)
    .pluck('sent_at');
  const oldest = counted.at(limit - 1);
  if (oldest !== undefined) return new Date(Date.parse(oldest) + DAY_MS);
  const counting = { id, api_key_id, comparable_email, sent_at: now.toISOString() };
  await trx('sent_mails').insert(counting).onConflict('id').merge(['sent_at']);
  return now;
}

/** Deletes what no longer counts. */
export async function forgetCountedMails(db: Database, now: Date): Promise<void> {
  await retried(db, () => db('sent_mails').where('sent_at', '<=', isoAfter(now, -DAY_MS)).delete());
}

/** @returns how many were deleted */
export function forgetMailsTo(trx: Transaction, comparableEmail: string): Promise<number> {
  return trx('sent_mails').where({ comparable_email: comparableEmail }).delete();
}
