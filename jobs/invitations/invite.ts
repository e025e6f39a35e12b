import { newId } from '../../core/ids.ts';
import { hashSecret, randomSecret, sealText } from '../../core/secrets/secrets.ts';
import { isoAfter } from '../../core/time.ts';
import type { InviteRow } from '../../db/applications/invites.ts';
import type { Transaction } from '../../db/connection/connect.ts';
import { preparedInsert } from '../../db/connection/prepared.ts';
import type { ShortTransaction } from '../../db/connection/short-transaction.ts';
import type { RequestRuntime } from '../runtime.ts';

type Parts = Pick<RequestRuntime, 'queue' | 'keys' | 'invitationLifetimeMs'>;

const insertedInvites = preparedInsert('invites', {
  id: 'text',
  participant_id: 'text',
  status: 'text',
  due_at: 'text',
  created_at: 'text',
  token_hash: 'text',
  sealed_token: 'text',
  expires_at: 'text',
});

/** Invites participants, each by one mail with a link of their own (product document 4.2, rule 4). */
export async function inviteParticipants(
  trx: ShortTransaction,
  ctx: Parts & { now: Date },
  participantIds: readonly string[],
): Promise<void> {
  if (participantIds.length === 0) return;
  const now = ctx.now.toISOString();
  const invites = participantIds.map((participant_id) => {
    const { columns } = newLink(ctx, ctx.now);
    return { id: newId(), participant_id, status: 'pending', due_at: now, created_at: now, ...columns };
  });
  await Promise.all([
    insertedInvites(trx, invites),
    ctx.queue.send(
      trx,
      'send-invite',
      invites.map(({ id }) => id),
    ),
  ]);
}

/** The token of a link, which nobody can tell from what is stored once the mail is on its way. */
export function newLink(
  { keys, invitationLifetimeMs }: Parts,
  now: Date,
): { token: string; columns: { token_hash: string; sealed_token: string; expires_at: string } } {
  const token = randomSecret();
  const columns = {
    token_hash: hashSecret(token),
    sealed_token: sealText(token, keys.encryption),
    expires_at: isoAfter(now, invitationLifetimeMs),
  };
  return { token, columns };
}

/**
 * Sends an invitation that was sent or given up once more, with a new link; the former one leads nowhere from now on.
 * @param seen as it was looked at
 * @returns false when it was changed since
 */
export async function inviteAgain(
  trx: Transaction,
  parts: Parts,
  seen: Pick<InviteRow, 'id' | 'status' | 'token_hash'>,
  now: Date,
): Promise<boolean> {
  const { id, status, token_hash } = seen;
  const changed = await trx('invites')
    .where({ id, status, token_hash, answered_at: null })
    .update({
      status: 'pending',
      due_at: now.toISOString(),
      finished_at: null,
      failures: 0,
      failure: null,
      ...newLink(parts, now).columns,
    });
  if (changed === 1) await parts.queue.send(trx, 'send-invite', id);
  return changed === 1;
}
