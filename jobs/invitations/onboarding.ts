import { Conflict, NotFound } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { outdatedAfter } from '../../core/rules/onboarding.ts';
import { hashSecret, randomSecret } from '../../core/secrets/secrets.ts';
import { isoAfter } from '../../core/time.ts';
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
import type { Runtime } from '../runtime.ts';

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
  knownName: string;
  state: 'open' | 'used' | 'expired';
}

/** The token alone grants access, while its person is an active participant. @throws NotFound */
export async function findOnboarding(db: Database, token: string, now: Date): Promise<Onboarding> {
  const link = await findOnboardingLink(db, hashSecret(token));
  const invited = link && (await findInvited(db, link.participant_id));
  if (!invited) throw new NotFound('Onboarding');
  const isExpired = link.expires_at <= now.toISOString();
  return {
    ...invited,
    linkId: link.id,
    participantId: link.participant_id,
    knownName: invited.accountName ?? invited.name,
    state: link.used_at !== null ? 'used' : isExpired ? 'expired' : 'open',
  };
}

/** Once, which creates the account and completes its profile. An expired link is a no-op. @throws NotFound */
export function completeOnboarding(
  { db, profileDays }: Pick<Runtime, 'db' | 'profileDays'>,
  token: string,
  name: string,
  now: Date,
): Promise<void> {
  return db.transaction(async (trx) => {
    const { applicationId } = await findOnboarding(trx, token, now);
    await lockAnyApplication(trx, applicationId);
    // Read again under the lock: the link may be used or replaced, or the participant removed.
    const { state, linkId, participantId, email, name: formerName } = await findOnboarding(trx, token, now);
    if (state !== 'open') return;
    await useOnboardingLink(trx, linkId, now);
    const { tenant } = await addTenant(trx, { email, name }, now);
    await setTenantName(trx, tenant.id, name);
    await setProfile(trx, tenant.id, 'COMPLETED', now, outdatedAfter(profileDays, now));
    if (formerName === '') {
      await setParticipant(trx, participantId, { name });
      await touchApplication(trx, applicationId, now);
    }
    await recordAudit(trx, { kind: 'person', id: participantId }, 'tenant.onboard', tenant.id, now);
  });
}
