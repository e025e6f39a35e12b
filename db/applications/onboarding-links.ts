import type { Database, Transaction } from '../connection/connect.ts';

/** A link that lets a participant complete their profile, once. */
export interface OnboardingLinkRow {
  id: string;
  participant_id: string;
  token_hash: string;
  expires_at: string;
  used_at: string | null;
  created_at: string;
}

/** Ends the unused links of a participant. */
export async function expireOnboardingLinks(trx: Transaction, participantId: string, now: Date): Promise<void> {
  const moment = now.toISOString();
  await trx('onboarding_links')
    .where({ participant_id: participantId, used_at: null })
    .where('expires_at', '>', moment)
    .update({ expires_at: moment });
}

export async function insertOnboardingLink(trx: Transaction, link: OnboardingLinkRow): Promise<void> {
  await trx('onboarding_links').insert(link);
}

export function findOnboardingLink(db: Database, tokenHash: string): Promise<OnboardingLinkRow | undefined> {
  return db('onboarding_links').where({ token_hash: tokenHash }).first();
}

export async function useOnboardingLink(trx: Transaction, id: string, now: Date): Promise<void> {
  await trx('onboarding_links').where({ id }).update({ used_at: now.toISOString() });
}
