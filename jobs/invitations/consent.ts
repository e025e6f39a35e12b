import { NotFound } from '../../core/errors.ts';
import { hashSecret } from '../../core/secrets/secrets.ts';
import { isInForce } from '../../db/access/api-key-states.ts';
import {
  lockAnyApplication,
  type ParticipantRow,
  setParticipant,
  touchApplication,
} from '../../db/applications/applications.ts';
import { findInvited, type Invited } from '../../db/applications/invited.ts';
import { findInviteByToken, markInvitesAnswered } from '../../db/applications/invites.ts';
import { expireOnboardingLinks } from '../../db/applications/onboarding-links.ts';
import { recordAudit } from '../../db/audit/audit.ts';
import type { Database, Transaction } from '../../db/connection/connect.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { endParticipation } from './end-participation.ts';

export type Answer = Exclude<ParticipantRow['consent_status'], 'pending'>;

/** What a person is told who chose neither. */
export const NO_ANSWER = 'Choose whether you accept or decline.';

export const consentActions = { accepted: 'participant.accept', rejected: 'participant.decline' } as const;

/** An invitation as the page behind its link shows it. */
export interface Invitation extends Invited {
  participantId: string;
  /** When it expired; null while it can be answered. */
  expiredAt: string | null;
  /** They accepted, and the link is still valid. */
  mayUpload: boolean;
}

/** The token alone grants access, while its person is an active participant. @throws NotFound */
export async function findInvitation(db: Database, token: string, now: Date): Promise<Invitation> {
  const invite = await findInviteByToken(db, hashSecret(token));
  const invited = invite && (await findInvited(db, invite.participant_id));
  if (!invited) throw new NotFound('Invitation');
  const { participant_id, expires_at } = invite;
  const isExpired = expires_at !== null && expires_at <= now.toISOString();
  const mayUpload = invited.consent === 'accepted' && !isExpired && isInForce(invited.key, now);
  return { ...invited, participantId: participant_id, expiredAt: isExpired ? expires_at : null, mayUpload };
}

/** The first answer stays; an expired link is a no-op. @throws NotFound */
export function answerInvitation(db: Database, token: string, answer: Answer, now: Date): Promise<void> {
  return inTransaction(db, async (trx) => {
    const { applicationId } = await findInvitation(trx, token, now);
    await lockAnyApplication(trx, applicationId);
    // Read again under the lock: the answer, the participant or the link may have changed.
    const { participantId, consent, expiredAt } = await findInvitation(trx, token, now);
    if (consent !== 'pending' || expiredAt) return;
    await answerInPerson(trx, { id: participantId, application_id: applicationId }, answer, now);
  });
}

/** Records the first answer that a participant of a locked application gives on one of their pages. */
export async function answerInPerson(
  trx: Transaction,
  participant: Pick<ParticipantRow, 'id' | 'application_id'>,
  answer: Answer,
  now: Date,
): Promise<void> {
  await decide(trx, participant, answer, now);
  await recordAudit(trx, { kind: 'person', id: participant.id }, consentActions[answer], participant.id, now);
}

/** Records the answer of an active participant of a locked application. @returns false when it is the same as before */
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

/** An answer spends the link of the invitation, also when an operator recorded it; declining ends onboarding links and running checks too. */
async function decide(
  trx: Transaction,
  { id, application_id }: Pick<ParticipantRow, 'id' | 'application_id'>,
  answer: Answer,
  now: Date,
): Promise<void> {
  await setParticipant(trx, id, { consent_status: answer });
  await markInvitesAnswered(trx, id, now);
  if (answer === 'rejected') {
    await expireOnboardingLinks(trx, id, now);
    await endParticipation(trx, id, now);
  }
  await touchApplication(trx, application_id, now);
}
