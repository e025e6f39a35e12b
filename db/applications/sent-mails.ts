import type { Knex } from 'knex';
import { DAY_MS, isoAfter } from '../../core/time.ts';
import { lockApiKey } from '../access/api-keys.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { retried } from '../connection/transactions.ts';

/** A mail that an API key sent, or is trying to send, to an address. It no longer counts after a day. */
export interface SentMailRow {
  /** Its Message-ID, so that retries count once. */
  id: string;
  api_key_id: string;
  comparable_email: string;
  sent_at: string;
}

/** A mail that is about to be sent to a participant. */
interface MailToCount extends Omit<SentMailRow, 'sent_at'> {
  participant_id: string;
}

/**
 * The rate limit of mails: counts a mail, unless its key has sent `limit` to the address within a day.
 * @returns when it may be sent: `now` when it was counted, null when the participant was erased
 */
export async function countMail(
  trx: Transaction,
  { id, api_key_id, comparable_email, participant_id }: MailToCount,
  limit: number,
  now: Date,
): Promise<Date | null> {
  // A concurrent erasure waits for this row, or has already changed its address.
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
