import { narrowParty } from '../../core/correlation.ts';
import { NotFound } from '../../core/errors.ts';
import { partyOfKey } from '../../core/party.ts';
import { findRemoved, type Removed } from '../../db/applications/invited.ts';
import type { Database } from '../../db/connection/database.ts';

/** The person behind a valid link whom the landlord has removed. */
export interface RemovedHolder extends Removed {
  participantId: string;
  isExpired: false;
}

/** A removed person's link admits to what is held about them and to nothing else. Every other page answers as for an unknown link. */
export class NoLongerTakesPart extends NotFound {
  readonly holder: RemovedHolder;

  constructor(holder: RemovedHolder) {
    super('Participant');
    this.holder = holder;
  }
}

/** Why a link does not lead to an active participant. @param link undefined for an unknown token */
export async function whyNotFound(
  db: Database,
  kind: 'Invitation' | 'Onboarding',
  link: { participant_id: string; expires_at: string | null } | undefined,
  now: Date,
): Promise<NotFound> {
  const isValid = link && (link.expires_at === null || link.expires_at > now.toISOString());
  const removed = isValid ? await findRemoved(db, link.participant_id) : undefined;
  if (!isValid || !removed) return new NotFound(kind);
  await narrowParty(partyOfKey(removed.apiKeyId, link.participant_id));
  return new NoLongerTakesPart({ ...removed, participantId: link.participant_id, isExpired: false });
}
