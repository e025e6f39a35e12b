import type { Database } from '../connection/connect.ts';
import type { WorkRow } from '../work/work.ts';
import type { ParticipantRow } from './applications.ts';

export interface InviteRow extends WorkRow {
  participant_id: string;
  /** `cancelled`: nobody needs the mail any more. */
  status: 'pending' | 'sent' | 'failed' | 'cancelled';
  /** The digest of the token in its link. */
  token_hash: string | null;
  /** The token, until the mail is on its way. */
  sealed_token: string | null;
  /** From when on the link is refused. */
  expires_at: string | null;
  /** When the link was used. */
  answered_at: string | null;
}

declare module 'knex/types/tables.js' {
  interface Tables {
    invites: InviteRow;
  }
}

export const inviteStates = ['pending', 'sent', 'failed', 'cancelled'] as const;

/** An invitation with whom it is for and what it is about. */
export type ListedInvite = InviteRow &
  Pick<ParticipantRow, 'application_id' | 'email' | 'consent_status' | 'removed_at'> & { title: string };

/** Which invitations, or all of them. */
export interface InviteFilter {
  status?: InviteRow['status'] | undefined;
  applicationId?: string | undefined;
}

/** The newest first. */
export function listInvites(
  db: Database,
  { status, applicationId }: InviteFilter,
  limit: number,
): Promise<ListedInvite[]> {
  const chosen = newestFirst(db).limit(limit);
  if (status) chosen.where('invites.status', status);
  if (applicationId !== undefined) chosen.where('participants.application_id', applicationId);
  return chosen;
}

export function findInvite(db: Database, id: string): Promise<ListedInvite | undefined> {
  return newestFirst(db).where('invites.id', id).first();
}

/** The ids of the invitations to one key's applications, the newest first: nobody else may see the mails. */
export async function inviteIdsOfKey(db: Database, apiKeyId: string, limit: number): Promise<string[]> {
  return (await newestFirst(db).where('applications.api_key_id', apiKeyId).limit(limit)).map(({ id }) => id);
}

export async function isInviteOfKey(db: Database, apiKeyId: string, id: string): Promise<boolean> {
  const found = await newestFirst(db).where('applications.api_key_id', apiKeyId).where('invites.id', id).first();
  return found !== undefined;
}

/** How many invitations of active participants were given up. */
export async function countFailedInvites(db: Database): Promise<number> {
  const [row] = await db('invites')
    .join('participants', 'participants.id', 'invites.participant_id')
    .where('invites.status', 'failed')
    .whereNull('participants.removed_at')
    .count({ count: '*' });
  return Number(row?.count);
}

function newestFirst(db: Database) {
  return db('invites')
    .join('participants', 'participants.id', 'invites.participant_id')
    .join('applications', 'applications.id', 'participants.application_id')
    .orderBy(['created_at', 'id'].map((column) => ({ column: `invites.${column}`, order: 'desc' as const })))
    .select('invites.*', 'application_id', 'email', 'consent_status', 'removed_at', 'title');
}
