import type { Database, Transaction } from '../connection/database.ts';
import { gathered } from '../connection/gathered.ts';

/** A single-use link through which a participant completes their profile. */
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

type LinkOfToken = Pick<OnboardingLinkRow, 'id' | 'participant_id' | 'expires_at' | 'used_at'>;

const linkOfToken = gathered<LinkOfToken>(
  'select token_hash as asked_for, id, participant_id, expires_at, used_at from onboarding_links where token_hash',
);

export async function findOnboardingLink(db: Database, tokenHash: string): Promise<LinkOfToken | undefined> {
  const [link] = await linkOfToken(db, tokenHash);
  return link;
}

export async function useOnboardingLink(trx: Transaction, id: string, now: Date): Promise<void> {
  await trx('onboarding_links').where({ id }).update({ used_at: now.toISOString() });
}
