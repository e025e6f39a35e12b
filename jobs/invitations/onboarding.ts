import { Conflict, NotFound, ValidationError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { outdatedAfter } from '../../core/rules/onboarding.ts';
import { hashSecret, randomSecret } from '../../core/secrets/secrets.ts';
import { isoAfter } from '../../core/time.ts';
import { isInForce } from '../../db/access/api-key-states.ts';
import {
  lockAnyApplication,
  type ParticipantRow,
  setParticipant,
  touchApplication,
} from '../../db/applications/applications.ts';
import { findInvited, type Invited } from '../../db/applications/invited.ts';
import {
  expireOnboardingLinks,
  findOnboardingLink,
  insertOnboardingLink,
  type OnboardingLinkRow,
  useOnboardingLink,
} from '../../db/applications/onboarding-links.ts';
import { addTenant, setProfile, setTenantName } from '../../db/applications/tenants.ts';
import { recordAudit } from '../../db/audit/audit.ts';
import type { Database, Transaction } from '../../db/connection/connect.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import type { Runtime } from '../runtime.ts';
import { type Answer, answerInPerson, NO_ANSWER } from './consent.ts';

/**
 * Creates a link by which an active participant of a locked application completes their profile, once. Unused former links
 * expire.
 * @returns its token, which is not stored
 * @throws Conflict when they have declined
 */
export async function openOnboarding(
  trx: Transaction,
  { id: participantId, consent_status }: Pick<ParticipantRow, 'id' | 'consent_status'>,
  lifetimeMs: number,
  now: Date,
): Promise<{ token: string; link: OnboardingLinkRow }> {
  if (consent_status === 'rejected') throw new Conflict('Somebody who has declined the invitation is not onboarded.');
  await expireOnboardingLinks(trx, participantId, now);
  const token = randomSecret();
  const link = {
    id: newId(),
    participant_id: participantId,
    token_hash: hashSecret(token),
    expires_at: isoAfter(now, lifetimeMs),
    used_at: null,
    created_at: now.toISOString(),
  };
  await insertOnboardingLink(trx, link);
  return { token, link };
}

/** An onboarding link as its page shows it. */
export interface Onboarding extends Invited {
  linkId: string;
  participantId: string;
  /** `asking`: open, and the person has not answered yet whether they take part. */
  state: 'asking' | 'open' | 'used' | 'declined' | 'expired';
  /** Their profile is complete, and the link has not expired. */
  mayUpload: boolean;
}

/** The token alone grants access, while its person is an active participant. @throws NotFound */
export async function findOnboarding(db: Database, token: string, now: Date): Promise<Onboarding> {
  const link = await findOnboardingLink(db, hashSecret(token));
  const invited = link && (await findInvited(db, link.participant_id));
  if (!invited) throw new NotFound('Onboarding');
  const state = stateOf(link, invited, now);
  const isValid = link.expires_at > now.toISOString() && isInForce(invited.key, now);
  return {
    ...invited,
    linkId: link.id,
    participantId: link.participant_id,
    state,
    mayUpload: state === 'used' && invited.consent === 'accepted' && isValid,
  };
}

function stateOf(
  { used_at, expires_at }: Pick<OnboardingLinkRow, 'used_at' | 'expires_at'>,
  { consent }: Invited,
  now: Date,
): Onboarding['state'] {
  if (consent === 'rejected') return 'declined';
  if (used_at !== null) return 'used';
  if (expires_at <= now.toISOString()) return 'expired';
  return consent === 'pending' ? 'asking' : 'open';
}

/** What a person submits on the page. */
export interface OnboardingForm {
  name: string;
  /** Needed while they are asked whether they take part. */
  answer: Answer | undefined;
}

/**
 * Once, which creates the account and completes its profile; the answer of a person who is asked is recorded with it. An expired link
 * is a no-op.
 * @throws NotFound, ValidationError with a message for the person
 */
export function completeOnboarding(
  { db, profileDays }: Pick<Runtime, 'db' | 'profileDays'>,
  token: string,
  { name, answer }: OnboardingForm,
  now: Date,
): Promise<void> {
  return inTransaction(db, async (trx) => {
    // Read under the lock: the link may be used or replaced, or the participant removed.
    const { state, linkId, participant, email, name: formerName } = await lockOnboarding(trx, token, now);
    if (state === 'asking' && answer !== 'accepted') throw new ValidationError([], NO_ANSWER);
    if (state === 'asking') await answerInPerson(trx, participant, 'accepted', now);
    else if (state !== 'open') return;
    await useOnboardingLink(trx, linkId, now);
    const { tenant } = await addTenant(trx, { email, name }, now);
    await setTenantName(trx, tenant.id, name);
    await setProfile(trx, tenant.id, 'COMPLETED', now, outdatedAfter(profileDays, now));
    if (formerName === '') {
      await setParticipant(trx, participant.id, { name });
      await touchApplication(trx, participant.application_id, now);
    }
    await recordAudit(trx, { kind: 'person', id: participant.id }, 'tenant.onboard', tenant.id, now);
  });
}

/** A person who is asked declines. A no-op once they have answered. @throws NotFound */
export function declineOnboarding({ db }: Pick<Runtime, 'db'>, token: string, now: Date): Promise<void> {
  return inTransaction(db, async (trx) => {
    const { state, participant } = await lockOnboarding(trx, token, now);
    if (state === 'asking') await answerInPerson(trx, participant, 'rejected', now);
  });
}

async function lockOnboarding(trx: Transaction, token: string, now: Date) {
  const { applicationId } = await findOnboarding(trx, token, now);
  await lockAnyApplication(trx, applicationId);
  const onboarding = await findOnboarding(trx, token, now);
  return { ...onboarding, participant: { id: onboarding.participantId, application_id: applicationId } };
}
