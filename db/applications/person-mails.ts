import { DAY_MS, isoAfter } from '../../core/time.ts';
import type { Transaction } from '../connection/database.ts';
import { dueAt } from '../work/work.ts';
import type { InviteLink, InviteRow, MailTopic, SeenInvite } from './invites.ts';

/** The link of an earlier mail. */
export interface FormerLinkRow {
  token_hash: string;
  participant_id: string;
  expires_at: string;
}

/** A participant's row, of which there is at most one. */
export function findInviteOf(trx: Transaction, participantId: string): Promise<InviteRow | undefined> {
  return trx('invites').where({ participant_id: participantId }).forNoKeyUpdate().first();
}

/** Changes what a mail is about that has not been sent yet. A reminder never replaces another topic. */
export async function noteTopic(trx: Transaction, { id, token_hash }: SeenInvite, about: MailTopic): Promise<void> {
  if (about !== 'reminder') await trx('invites').where({ id, status: 'pending', token_hash }).update({ about });
}

const KEEP_EXPIRED_DAYS = 180;

/**
 * Makes a row due again with a new link and a topic. The link before stays valid until it expires, and then offers another.
 * @returns false when it has changed since
 */
export async function reopenForMail(
  trx: Transaction,
  { id, status, token_hash, participant_id, expires_at }: InviteRow,
  { about, link }: { about: MailTopic; link: InviteLink },
  now: Date,
): Promise<boolean> {
  const reopened = await trx('invites')
    .where({ id, status, token_hash })
    .update({ status: 'pending', ...dueAt(now), finished_at: null, failures: 0, failure: null, about, ...link });
  if (reopened !== 1) return false;
  await trx('former_links')
    .where({ participant_id })
    .where('expires_at', '<=', isoAfter(now, -KEEP_EXPIRED_DAYS * DAY_MS))
    .delete();
  if (token_hash !== null && expires_at !== null)
    await trx('former_links').insert({ token_hash, participant_id, expires_at });
  return true;
}
