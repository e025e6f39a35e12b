import { NotFound } from '../../core/errors.ts';
import { hashSecret } from '../../core/secrets/secrets.ts';
import type { ParticipantRow } from '../../db/applications/applications.ts';
import { lockAnyApplication, touchApplication } from '../../db/applications/applications.ts';
import { findInvited, type Invited } from '../../db/applications/invited.ts';
import { recordAudit } from '../../db/audit/audit.ts';
import type { Database, Transaction } from '../../db/connection/connect.ts';

export type Answer = Exclude<ParticipantRow['consent_status'], 'pending'>;

/** What each answer is called in the audit log. */
export const consentActions = { accepted: 'participant.accept', rejected: 'participant.decline' } as const;

/** An invitation as the page behind its link shows it. */
export interface Invitation extends Invited {
  participantId: string;
  /** Since when it can no longer be answered; null while it can. */
  expiredAt: string | null;
}

/** Whoever has the token is let in, while the person takes part. @throws NotFound */
export async function findInvitation(db: Database, token: string, now: Date): Promise<Invitation> {
  const invite = await db('invites')
    .where({ token_hash: hashSecret(token) })
    .first('participant_id', 'expires_at');
  const invited = invite && (await findInvited(db, invite.participant_id));
  if (!invited) throw new NotFound('Invitation');
  const { participant_id, expires_at } = invite;
  const isExpired = expires_at !== null && expires_at <= now.toISOString();
  return { ...invited, participantId: participant_id, expiredAt: isExpired ? expires_at : null };
}

/**
 * The person answers by the link of their invitation, once: the first answer stays, and an expired link decides nothing.
 * @throws NotFound
 */
export function answerInvitation(db: Database, token: string, answer: Answer, now: Date): Promise<void> {
  return db.transaction(async (trx) => {
    const { applicationId } = await findInvitation(trx, token, now);
    await lockAnyApplication(trx, applicationId);
    // Only now: meanwhile somebody may have answered, removed the person or replaced the link.
    const { participantId, consent, expiredAt } = await findInvitation(trx, token, now);
    if (consent !== 'pending' || expiredAt) return;
    await decide(trx, { id: participantId, application_id: applicationId }, answer, now);
    await recordAudit(trx, { kind: 'person', id: participantId }, consentActions[answer], participantId, now);
  });
}

/** Notes the word of an active participant of a locked application. @returns whether it was another before */
export async function noteConsent(
  trx: Transaction,
  participant: ParticipantRow,
  answer: Answer,
  now: Date,
): Promise<boolean> {
  if (participant.consent_status === answer) return false;
  await decide(trx, participant, answer, now);
  return true;
}

/** Whatever way the answer came, it spends the link. */
async function decide(
  trx: Transaction,
  { id, application_id }: Pick<ParticipantRow, 'id' | 'application_id'>,
  answer: Answer,
  now: Date,
): Promise<void> {
  await trx('participants').where({ id }).update({ consent_status: answer });
  await trx('invites').where({ participant_id: id, answered_at: null }).update({ answered_at: now.toISOString() });
  await touchApplication(trx, application_id, now);
}
