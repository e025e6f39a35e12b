import { narrowParty } from '../../core/correlation.ts';
import { partyOfKey } from '../../core/party.ts';
import { onboardingStatus } from '../../core/rules/onboarding.ts';
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
import { type Actor, recordAudit } from '../../db/audit/audit.ts';
import type { Database, Transaction } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import type { Runtime } from '../runtime.ts';
import { endParticipation } from './end-participation.ts';
import { completeProfile } from './profile.ts';
import { whyNotFound } from './removed.ts';

export type Answer = Exclude<ParticipantRow['consent_status'], 'pending'>;

export const consentActions = { accepted: 'participant.accept', rejected: 'participant.decline' } as const;

/** The person behind a link of an invitation or an onboarding. */
export interface LinkHolder extends Invited {
  participantId: string;
  isExpired: boolean;
  /** Behind an invitation: complete and not outdated, wherever they completed it. Behind an onboarding: completed through this link. */
  hasProfile: boolean;
  /** They accepted, the link is still valid, and the API key in force. */
  mayUpload: boolean;
}

/** An invitation as the page behind its link shows it. */
export interface Invitation extends LinkHolder {
  /** When it expired; null while it can be answered. */
  expiredAt: string | null;
}

/** The token alone grants access, as long as its person is an active participant. @throws NotFound, NoLongerTakesPart */
export async function findInvitation(db: Database, token: string, now: Date): Promise<Invitation> {
  const invite = await findInviteByToken(db, hashSecret(token));
  const invited = invite && (await findInvited(db, invite.participant_id));
  if (!invited) throw await whyNotFound(db, 'Invitation', invite, now);
  const { participant_id, expires_at } = invite;
  await narrowParty(partyOfKey(invited.apiKeyId, participant_id));
  const isExpired = expires_at !== null && expires_at <= now.toISOString();
  const mayUpload = invited.consent === 'accepted' && !isExpired && isInForce(invited.key, now);
  const hasProfile = onboardingStatus(invited.profile, now) === 'COMPLETED';
  const expiredAt = isExpired ? expires_at : null;
  return { ...invited, participantId: participant_id, isExpired, expiredAt, hasProfile, mayUpload };
}

/** The first answer stays; an expired link is a no-op. @throws NotFound */
export function answerInvitation(db: Database, token: string, answer: Answer, now: Date): Promise<void> {
  return inTransaction(db, async (trx) => {
    const { participantId, applicationId, consent, expiredAt } = await lockInvitation(trx, token, now);
    if (consent !== 'pending' || expiredAt) return;
    await answerInPerson(trx, { id: participantId, application_id: applicationId }, answer, now);
  });
}

/** For a person who has accepted, may continue and has no profile; otherwise a no-op. @throws NotFound */
export function completeInvitedProfile(
  runtime: Pick<Runtime, 'db' | 'profileDays'>,
  token: string,
  name: string,
  now: Date,
): Promise<void> {
  return inTransaction(runtime.db, async (trx) => {
    const invitation = await lockInvitation(trx, token, now);
    const { participantId, applicationId, hasProfile, mayUpload } = invitation;
    if (!mayUpload || hasProfile) return;
    await completeProfile(trx, { ...invitation, id: participantId, application_id: applicationId }, name, runtime, now);
  });
}

/** Read again under the lock: the answer, the participant or the link may have changed. */
async function lockInvitation(trx: Transaction, token: string, now: Date): Promise<Invitation> {
  const { applicationId } = await findInvitation(trx, token, now);
  await lockAnyApplication(trx, applicationId);
  return findInvitation(trx, token, now);
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

/** Records the answer of an active participant of a locked application. @returns false when it is unchanged */
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

/**
 * Records the answer that an active participant gave to an operator.
 * @param find locks the application and finds the participant
 * @returns their former answer
 */
export function recordConsent(
  { db, now }: Pick<Runtime, 'db' | 'now'>,
  find: (trx: Transaction) => Promise<ParticipantRow>,
  answer: Answer,
  by: Actor,
): Promise<{ former: ParticipantRow['consent_status']; participant: ParticipantRow }> {
  return inTransaction(db, async (trx) => {
    const participant = await find(trx);
    const moment = now();
    if (await noteConsent(trx, participant, answer, moment))
      await recordAudit(trx, by, consentActions[answer], participant.id, moment);
    return { former: participant.consent_status, participant };
  });
}

/** An answer consumes the invitation's link, even when an operator recorded it. Declining also ends onboarding links and running checks. */
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
