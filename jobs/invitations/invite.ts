import { correlationId } from '../../core/correlation.ts';
import { idsOf, newId } from '../../core/ids.ts';
import { hashSecret, randomSecret, sealText } from '../../core/secrets/secrets.ts';
import { isoAfter } from '../../core/time.ts';
import {
  type InviteLink,
  type InviteRow,
  insertInvites,
  type ListedInvite,
  reopenInvite,
} from '../../db/applications/invites.ts';
import { type Actor, recordAudit } from '../../db/audit/audit.ts';
import type { Transaction } from '../../db/connection/database.ts';
import type { ShortTransaction } from '../../db/connection/short-transaction.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import type { Runtime } from '../runtime.ts';
import { isSetAside, whyNoOtherMail } from './invite-advice.ts';

type Linking = Pick<Runtime, 'keys' | 'invitationLifetimeMs'>;
type Inviting = Linking & Pick<Runtime, 'queue'>;

/**
 * Invites participants, each by a mail with their own link (product document 4.2, rule 4).
 * @param leadId the lead, when the landlord wants them to get a link as well
 */
export async function inviteParticipants(
  trx: ShortTransaction,
  ctx: Inviting & { now: Date },
  {
    api_key_id,
    participantIds,
    leadId,
  }: { api_key_id: string; participantIds: readonly string[]; leadId?: string | undefined },
): Promise<void> {
  const ids = leadId === undefined ? participantIds : [...participantIds, leadId];
  if (ids.length === 0) return;
  const now = ctx.now.toISOString();
  const work = {
    api_key_id,
    status: 'pending',
    due_at: now,
    correlation_id: correlationId() ?? null,
    created_at: now,
  };
  const invites = ids.map((participant_id) => {
    const { link } = newLink(ctx, ctx.now);
    const about = participant_id === leadId ? 'link' : null;
    return { id: newId(), participant_id, about, ...work, ...link };
  });
  trx.last(insertInvites(trx, invites));
  await ctx.queue.send(trx, 'send-invite', idsOf(invites));
}

/** A new link. Once the mail is sent, only the token's digest is stored. */
export function newLink({ keys, invitationLifetimeMs }: Linking, now: Date): { token: string; link: InviteLink } {
  const token = randomSecret();
  const link = {
    token_hash: hashSecret(token),
    sealed_token: sealText(token, keys.encryption),
    expires_at: isoAfter(now, invitationLifetimeMs),
  };
  return { token, link };
}

/**
 * Resends an invitation that was sent or given up, with a new link that replaces the former link. @param seen the invitation as it was read
 * @returns false when it has changed since
 */
export async function inviteAgain(
  trx: Transaction,
  ctx: Inviting,
  seen: Pick<InviteRow, 'id' | 'status' | 'token_hash'>,
  now: Date,
): Promise<boolean> {
  const isReopened = await reopenInvite(trx, seen, newLink(ctx, now).link, now);
  if (isReopened) await ctx.queue.send(trx, 'send-invite', [seen.id]);
  return isReopened;
}

function whyNotNow(seen: ListedInvite): string | undefined {
  if (isSetAside(seen))
    return 'it was set aside, because every worker that had it died, and an operator may release it';
  return seen.status === 'pending' && seen.failures === 0 ? 'it waits to be sent already' : undefined;
}

/** Resends it for an operator. @returns why not, in words; undefined when it is sent */
export async function retryInvite(
  runtime: Inviting & Pick<Runtime, 'db' | 'now'>,
  seen: ListedInvite,
  by: Actor,
): Promise<string | undefined> {
  const refusal = whyNoOtherMail(seen) ?? whyNotNow(seen);
  if (refusal) return `${refusal}; nothing was changed`;
  const isSent = await inTransaction(runtime.db, async (trx) => {
    const isReopened = await inviteAgain(trx, runtime, seen, runtime.now());
    if (isReopened) await recordAudit(trx, by, 'invite.retry', seen.id, runtime.now());
    return isReopened;
  });
  return isSent ? undefined : 'another process changed it just now; look at it again';
}
