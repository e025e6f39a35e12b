import { Conflict, NotFound } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { outdatedAfter } from '../../core/rules/onboarding.ts';
import { hashSecret, randomSecret } from '../../core/secrets/secrets.ts';
import { isoAfter } from '../../core/time.ts';
import type { ParticipantRow } from '../../db/applications/applications.ts';
import { lockAnyApplication, touchApplication } from '../../db/applications/applications.ts';
import { findInvited, type Invited } from '../../db/applications/invited.ts';
import type { OnboardingLinkRow } from '../../db/applications/onboarding-links.ts';
import { addTenant, setProfile } from '../../db/applications/tenants.ts';
import { recordAudit } from '../../db/audit/audit.ts';
import type { Database, Transaction } from '../../db/connection/connect.ts';
import type { RequestRuntime } from '../runtime.ts';

/**
 * A link by which an active participant of a locked application completes their profile, once. A former one that was not used
 * yet ends.
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
  const createdAt = now.toISOString();
  await trx('onboarding_links')
    .where({ participant_id: participantId, used_at: null })
    .where('expires_at', '>', createdAt)
    .update({ expires_at: createdAt });
  const token = randomSecret();
  const link = {
    id: newId(),
    participant_id: participantId,
    token_hash: hashSecret(token),
    expires_at: isoAfter(now, lifetimeMs),
    used_at: null,
    created_at: createdAt,
  };
  await trx('onboarding_links').insert(link);
  return { token, link };
}

/** A link to complete a profile as its page shows it. */
export interface Onboarding extends Invited {
  linkId: string;
  participantId: string;
  /** What the person is called so far. */
  knownName: string;
  state: 'open' | 'used' | 'expired';
}

/** Whoever has the token is let in, while the person takes part. @throws NotFound */
export async function findOnboarding(db: Database, token: string, now: Date): Promise<Onboarding> {
  const link = await db('onboarding_links')
    .where({ token_hash: hashSecret(token) })
    .first();
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

/**
 * The person confirms their name by the link, once: they have an account from now on, and its profile is complete. An expired
 * link does nothing.
 * @throws NotFound
 */
export function completeOnboarding(
  { db, profileDays }: Pick<RequestRuntime, 'db' | 'profileDays'>,
  token: string,
  name: string,
  now: Date,
): Promise<void> {
  return db.transaction(async (trx) => {
    const { applicationId } = await findOnboarding(trx, token, now);
    await lockAnyApplication(trx, applicationId);
    // Only now: meanwhile somebody may have used or replaced the link, or removed the person.
    const { state, linkId, participantId, email, name: formerName } = await findOnboarding(trx, token, now);
    if (state !== 'open') return;
    await trx('onboarding_links').where({ id: linkId }).update({ used_at: now.toISOString() });
    const { tenant } = await addTenant(trx, { email, name }, now);
    await trx('tenants').where({ id: tenant.id }).update({ name });
    await setProfile(trx, tenant.id, 'COMPLETED', now, outdatedAfter(profileDays, now));
    if (formerName === '') {
      await trx('participants').where({ id: participantId }).update({ name });
      await touchApplication(trx, applicationId, now);
    }
    await recordAudit(trx, { kind: 'person', id: participantId }, 'tenant.onboard', tenant.id, now);
  });
}
