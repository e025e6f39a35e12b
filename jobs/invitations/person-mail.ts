import { correlationId } from '../../core/correlation.ts';
import { Conflict } from '../../core/errors.ts';
import { idsOf, newId } from '../../core/ids.ts';
import type { DocumentType } from '../../core/rules/document-types.ts';
import { isoAfter, MINUTE_MS } from '../../core/time.ts';
import type { ParticipantRow } from '../../db/applications/applications.ts';
import { insertDocumentRequest } from '../../db/applications/document-requests.ts';
import { findKeyOfParticipant, insertInvites, type MailTopic } from '../../db/applications/invites.ts';
import { findInviteOf, noteTopic, reopenForMail } from '../../db/applications/person-mails.ts';
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

/**
 * Tells a person that they are a guarantor now, or no longer, unless they have declined, never got a mail about the application, or the latest one
 * could not be delivered. @returns whether a mail goes out
 */
export async function mailNewRole(
  trx: Transaction,
  ctx: Mailing,
  { id, consent_status }: Pick<ParticipantRow, 'id' | 'consent_status'>,
  now: Date,
): Promise<boolean> {
  const latest = await findInviteOf(trx, id);
  const hasHeard = consent_status === 'accepted' || (latest !== undefined && latest.status !== 'failed');
  if (!hasHeard || consent_status === 'rejected') return false;
  await mailPerson(trx, ctx, id, 'role', now);
  return true;
}

/** Asks for one document, again, with a reason, and mails the person. The caller has locked the application. */
export async function askForDocument(
  trx: Transaction,
  ctx: Mailing,
  participant: Pick<ParticipantRow, 'id' | 'consent_status'>,
  { type, reason }: { type: DocumentType; reason: string },
  now: Date,
): Promise<void> {
  if (participant.consent_status === 'rejected')
    throw new Conflict('A person who has declined the invitation gets no request for documents.');
  await insertDocumentRequest(trx, {
    id: newId(),
    participant_id: participant.id,
    type,
    reason,
    created_at: now.toISOString(),
  });
  await mailPerson(trx, ctx, participant.id, 'request', now);
}

/** Mails a link to a person at an operator's request. The caller has locked the application. @throws Conflict when they have declined */
export async function mailLink(
  trx: Transaction,
  ctx: Mailing,
  { id, consent_status }: Pick<ParticipantRow, 'id' | 'consent_status'>,
  now: Date,
): Promise<void> {
  if (consent_status === 'rejected') throw new Conflict('A person who has declined the invitation gets no link.');
  await mailPerson(trx, ctx, id, 'link', now);
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
