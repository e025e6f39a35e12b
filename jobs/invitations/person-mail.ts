import { correlationId } from '../../core/correlation.ts';
import { idsOf, newId } from '../../core/ids.ts';
import { isoAfter, MINUTE_MS } from '../../core/time.ts';
import {
  findInviteOf,
  findKeyOfParticipant,
  insertInvites,
  type MailTopic,
  noteTopic,
  reopenForMail,
} from '../../db/applications/invites.ts';
import type { Transaction } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import type { Runtime } from '../runtime.ts';
import { newLink } from './invite.ts';

type Mailing = Pick<Runtime, 'keys' | 'invitationLifetimeMs' | 'queue'>;

/**
 * Mails a participant of a locked application a link to their home, with what it is about. There is one mail at a time for each person: a mail
 * that waits takes over the newest topic, and a waiting invitation says enough. Earlier links stay valid.
 */
export async function mailPerson(
  trx: Transaction,
  ctx: Mailing,
  participantId: string,
  about: MailTopic,
  now: Date,
): Promise<void> {
  const { link } = newLink(ctx, now);
  const row = await findInviteOf(trx, participantId);
  if (row?.status === 'pending') return row.about === null ? undefined : noteTopic(trx, row, about);
  if (row) {
    if (await reopenForMail(trx, row, { about, link }, now)) await ctx.queue.send(trx, 'send-invite', [row.id]);
    return;
  }
  const at = now.toISOString();
  const correlation_id = correlationId() ?? null;
  const added = {
    id: newId(),
    participant_id: participantId,
    api_key_id: await findKeyOfParticipant(trx, participantId),
    status: 'pending',
    due_at: at,
    correlation_id,
    created_at: at,
  };
  const invites = [{ ...added, about, ...link }];
  await insertInvites(trx, invites);
  await ctx.queue.send(trx, 'send-invite', idsOf(invites));
}

const MIN_DISTANCE_MS = 10 * MINUTE_MS;

/** Mails a new link at the request of a person whose link has expired, unless a mail left a moment ago. */
export function renewLink(
  runtime: Mailing & Pick<Runtime, 'db' | 'now'>,
  { participantId }: { participantId: string },
): Promise<void> {
  return inTransaction(runtime.db, async (trx) => {
    const now = runtime.now();
    const row = await findInviteOf(trx, participantId);
    const isRecent = row?.finished_at != null && row.finished_at > isoAfter(now, -MIN_DISTANCE_MS);
    if (!isRecent) await mailPerson(trx, runtime, participantId, 'link', now);
  });
}
