import { newId } from '../../core/ids.ts';
import { DAY_MS, isoAfter } from '../../core/time.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { retried } from '../connection/transactions.ts';
import { type Holder, type Holders, holdersOf } from './sign-in.ts';

/** A mail that told a holder of a passkey they added. It no longer counts after a day. */
export interface PasskeyNoticeRow {
  id: string;
  sent_at: string;
}
export type MemberNoticeRow = PasskeyNoticeRow & { member_id: string };
export type AccountNoticeRow = PasskeyNoticeRow & { account_id: string };

/** Counts a mail. The caller has locked the holder. @returns false when they got as many within a day as they may */
export async function countPasskeyNotice(
  trx: Transaction,
  { of, id }: Holder,
  limit: number,
  now: Date,
): Promise<boolean> {
  const { notices } = holdersOf(of);
  const sent = trx<PasskeyNoticeRow>(notices).where(of, id).where('sent_at', '>', isoAfter(now, -DAY_MS));
  if ((await sent.limit(limit).pluck('id')).length >= limit) return false;
  await trx(notices).insert({ id: newId(), [of]: id, sent_at: now.toISOString() });
  return true;
}

/** Deletes mails that no longer count. */
export async function deleteCountedNotices(db: Database, of: Holders, now: Date): Promise<void> {
  const { notices } = holdersOf(of);
  await retried(db, () => db<PasskeyNoticeRow>(notices).where('sent_at', '<=', isoAfter(now, -DAY_MS)).delete());
}
