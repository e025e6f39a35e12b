import { narrowParty } from '../../core/correlation.ts';
import { Conflict } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { partyOfKey } from '../../core/party.ts';
import { FormMistake } from '../../core/rules/form-mistake.ts';
import { hashSecret, randomSecret } from '../../core/secrets/secrets.ts';
import { isoAfter } from '../../core/time.ts';
import { isInForce } from '../../db/access/api-key-states.ts';
import { lockAnyApplication, type ParticipantRow } from '../../db/applications/applications.ts';
import { findInvited, type Invited } from '../../db/applications/invited.ts';
import {
  expireOnboardingLinks,
  findOnboardingLink,
  insertOnboardingLink,
  type OnboardingLinkRow,
  useOnboardingLink,
} from '../../db/applications/onboarding-links.ts';
import type { Database, Transaction } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import type { Runtime } from '../runtime.ts';
import { type Answer, answerInPerson, type LinkHolder } from './consent.ts';
import { completeProfile } from './profile.ts';
import { whyNotFound } from './removed.ts';

/**
 * Creates a single-use link through which an active participant of a locked application completes their profile. Unused former links
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
  if (consent_status === 'rejected')
    throw new Conflict('A person who has declined the invitation cannot be onboarded.');
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
export interface Onboarding extends LinkHolder {
  linkId: string;
  /** `asking`: open, and the person has not yet answered whether they take part. */
  state: 'asking' | 'open' | 'used' | 'declined' | 'expired';
}

/** The token alone grants access, as long as its person is an active participant. @throws NotFound, NoLongerTakesPart */
export async function findOnboarding(db: Database, token: string, now: Date): Promise<Onboarding> {
  const link = await findOnboardingLink(db, hashSecret(token));
  const invited = link && (await findInvited(db, link.participant_id));
  if (!invited) throw await whyNotFound(db, 'Onboarding', link, now);
  await narrowParty(partyOfKey(invited.apiKeyId, link.participant_id));
  const state = stateOf(link, invited, now);
  const isExpired = link.expires_at <= now.toISOString();
  return {
    ...invited,
    linkId: link.id,
    participantId: link.participant_id,
    state,
    hasProfile: state === 'used',
    mayUpload: state === 'used' && invited.consent === 'accepted' && !isExpired && isInForce(invited.key, now),
    isExpired,
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

/** The fields of the page's form. */
export interface OnboardingForm {
  name: string;
  /** Required while the page asks whether they take part. */
  answer: Answer | undefined;
}

/**
 * Creates the account and completes its profile, once; also records the answer of a person who was asked. A no-op for an expired link.
 * @throws NotFound, FormMistake
 */
export function completeOnboarding(
  runtime: Pick<Runtime, 'db' | 'profileDays'>,
  token: string,
  { name, answer }: OnboardingForm,
  now: Date,
): Promise<void> {
  return inTransaction(runtime.db, async (trx) => {
    // Read under the lock: the link may have been used or replaced, or the participant removed.
    const { state, linkId, participant, email, name: formerName } = await lockOnboarding(trx, token, now);
    if (state === 'asking' && answer !== 'accepted') throw new FormMistake('no-answer');
    if (state === 'asking') await answerInPerson(trx, participant, 'accepted', now);
    else if (state !== 'open') return;
    await useOnboardingLink(trx, linkId, now);
    await completeProfile(trx, { ...participant, email, name: formerName }, name, runtime, now);
  });
}

/** A person declines when asked. A no-op once they have answered. @throws NotFound */
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
