import { unsealText } from '../../core/secrets/secrets.ts';
import { isInForce } from '../../db/access/api-key-states.ts';
import { findInvited, type Invited } from '../../db/applications/invited.ts';
import type { InviteRow } from '../../db/applications/invites.ts';
import { hasErased } from '../../db/privacy/erasure.ts';
import type { Runtime } from '../runtime.ts';
import { invitationMail } from './invitation-mail.ts';
import { newLink } from './invite.ts';

/** How much of the link's digest tells one sending from the next. */
const EDITION_LENGTH = 8;

/**
 * Sends one participant's invitation. A crash after the server took it and before that was noted sends it once more, with the same
 * Message-ID: readers show it once.
 */
export async function sendInvite(runtime: Runtime, id: string): Promise<void> {
  const { db, providers, publicUrl } = runtime;
  const invite = await db('invites').where({ id, status: 'pending' }).first();
  // Erased meanwhile.
  if (!invite) return;
  const invited = await findInvited(db, invite.participant_id);
  if (!invited) return end(runtime, invite, { status: 'cancelled', failure: 'the participant was removed' });
  if (invited.consent !== 'pending' || invite.answered_at !== null)
    return end(runtime, invite, { status: 'cancelled', failure: 'it was answered before the mail went out' });
  if (!(await mayInvite(runtime, invited.applicationId)))
    return end(runtime, invite, {
      status: 'cancelled',
      failure: 'the API key that asked for it is not in force any more',
    });
  const { token, expiresAt, tokenHash } = await usableLink(runtime, invite);
  const mail = invitationMail({
    title: invited.title,
    inviter: invited.inviter,
    landlord: invited.landlord,
    link: `${publicUrl()}/invitation/${token}`,
    validUntil: new Date(expiresAt),
  });
  await providers.mail.send({
    ...mail,
    id,
    // Another link is another mail: readers would hide it behind the first.
    messageId: `${id}.${tokenHash.slice(0, EDITION_LENGTH)}`,
    to: invited.email,
  });
  await end(runtime, { id, token_hash: tokenHash }, { status: 'sent', failure: null });
  // Somebody was erased meanwhile: the copy that stays on this machine would tell of them still.
  const after = await findInvited(db, invite.participant_id);
  const isAsTold = after && told(after) === told(invited);
  if (!isAsTold && (await hasErased(db, invited.applicationId))) await providers.localMails.forget([id]);
}

async function mayInvite({ db, now }: Runtime, applicationId: string): Promise<boolean> {
  const key = await db('api_keys')
    .join('applications', 'applications.api_key_id', 'api_keys.id')
    .where('applications.id', applicationId)
    .first('revoked_at', 'expires_at');
  return key !== undefined && isInForce(key, now());
}

function told({ title, inviter, landlord, email }: Invited): string {
  return JSON.stringify([title, inviter, landlord, email]);
}

/** The link that was made with the invitation; another where there is none, or where it would be dead on arrival. */
async function usableLink(runtime: Runtime, { id, token_hash, sealed_token, expires_at }: InviteRow) {
  const { db, keys, now } = runtime;
  if (token_hash !== null && sealed_token !== null && expires_at !== null && expires_at > now().toISOString())
    return { token: unsealText(sealed_token, keys.encryption), tokenHash: token_hash, expiresAt: expires_at };
  const { token, columns } = newLink(runtime, now());
  // Kept before the mail goes out, so that whoever sends it again sends the same.
  await db('invites').where({ id, status: 'pending', token_hash }).update(columns);
  return { token, tokenHash: columns.token_hash, expiresAt: columns.expires_at };
}

/** Unless it got another link meanwhile, which is to go out yet. */
async function end(
  { db, now }: Runtime,
  { id, token_hash }: Pick<InviteRow, 'id' | 'token_hash'>,
  how: Pick<InviteRow, 'status' | 'failure'>,
): Promise<void> {
  await db('invites')
    .where({ id, status: 'pending', token_hash })
    .update({ ...how, due_at: null, finished_at: now().toISOString(), sealed_token: null });
}
