import { UNKNOWN_KEY } from '../../core/party.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { gathered } from '../connection/gathered.ts';
import { preparedInsert } from '../connection/prepared.ts';
import { countUpTo } from '../connection/queries/counts.ts';
import { newestFirst } from '../connection/queries/newest-first.ts';
import { retried } from '../connection/transactions.ts';
import { dueAt, type WorkRow } from '../work/work.ts';
import { newestOf } from '../work/work-lists.ts';
import type { ParticipantRow } from './applications.ts';

/** What a mail beyond the invitation is about. */
export type MailTopic = 'link' | 'role' | 'confirmation' | 'reminder' | 'request' | 'result';

/** The mail that a participant gets, and its link: at first the invitation, later what else there is to tell. */
export interface InviteRow extends WorkRow {
  participant_id: string;
  /** Null in rows of the previous version. */
  api_key_id: string | null;
  /** `cancelled`: the mail is no longer needed. */
  status: 'pending' | 'sent' | 'failed' | 'cancelled';
  /** The digest of the token in its link. */
  token_hash: string | null;
  /** The token, until the mail is sent. */
  sealed_token: string | null;
  /** When the link expires. */
  expires_at: string | null;
  answered_at: string | null;
  /** Null for the invitation. */
  about: MailTopic | null;
  /** How many reminders were sent; null for none. */
  reminders: number | null;
  /** When the person stopped them. */
  reminders_stopped_at: string | null;
}

/** The columns of a new link. */
export type InviteLink = { [Column in 'token_hash' | 'sealed_token' | 'expires_at']: string };

/** Participants that were not inserted have none. */
export const insertInvites = preparedInsert(
  'invites',
  {
    id: 'text',
    participant_id: 'text',
    api_key_id: 'text',
    status: 'text',
    due_at: 'text',
    correlation_id: 'text',
    created_at: 'text',
    token_hash: 'text',
    sealed_token: 'text',
    expires_at: 'text',
    about: 'text',
  },
  '(select true from participants where participants.id = given.participant_id)',
);

/** An invitation whose mail has not been sent yet. */
export function findPendingInvite(db: Database, id: string): Promise<InviteRow | undefined> {
  return db('invites').where({ id, status: 'pending' }).first();
}

type InviteOfToken = Pick<InviteRow, 'participant_id' | 'expires_at'>;

const inviteOfToken = gathered<InviteOfToken>(
  'select token_hash as asked_for, participant_id, expires_at from invites where token_hash',
  'select token_hash as asked_for, participant_id, expires_at from former_links where token_hash',
);

/** By the newest link, or by one of an earlier mail. */
export async function findInviteByToken(db: Database, tokenHash: string): Promise<InviteOfToken | undefined> {
  const [invite] = await inviteOfToken(db, tokenHash);
  return invite;
}

/** The ids among those given that have an invitation. */
export async function findInviteIds(db: Database, ids: readonly string[]): Promise<Set<string>> {
  return new Set(await db('invites').whereIn('id', ids).pluck('id'));
}

/** An invitation as it was read. Updates that take it are no-ops once its link has changed. */
export type SeenInvite = Pick<InviteRow, 'id' | 'token_hash'>;

/** Replaces the link of an invitation whose mail has not been sent yet. */
export async function replaceInviteLink(db: Database, { id, token_hash }: SeenInvite, link: InviteLink): Promise<void> {
  await retried(db, () => db('invites').where({ id, status: 'pending', token_hash }).update(link));
}

/** Records that the mail was sent, or that it is no longer needed. */
export async function endInvite(
  db: Database,
  { id, token_hash }: SeenInvite,
  end: Pick<InviteRow, 'status' | 'failure'>,
  now: Date,
): Promise<void> {
  await retried(db, () =>
    db('invites')
      .where({ id, status: 'pending', token_hash })
      .update({ ...end, ...dueAt(null), finished_at: now.toISOString(), sealed_token: null }),
  );
}

/** Postpones a mail that has not been sent yet. Its link, which was never sent, is replaced when the mail is sent. */
export async function postponeInvite(
  db: Database,
  { id, token_hash }: SeenInvite,
  until: Date,
  failure: string,
): Promise<void> {
  await retried(db, () =>
    db('invites')
      .where({ id, status: 'pending', token_hash })
      .update({ ...dueAt(until), failure, sealed_token: null }),
  );
}

/** Makes an unanswered invitation due again with a new link. @returns false when it has changed since it was read */
export async function reopenInvite(
  trx: Transaction,
  { id, status, token_hash }: SeenInvite & Pick<InviteRow, 'status'>,
  link: InviteLink,
  now: Date,
): Promise<boolean> {
  const reopened = await trx('invites')
    .where({ id, status, token_hash, answered_at: null })
    .update({
      status: 'pending',
      ...dueAt(now),
      finished_at: null,
      failures: 0,
      failure: null,
      ...link,
    });
  return reopened === 1;
}

/** Spends the links of a participant. */
export async function markInvitesAnswered(trx: Transaction, participantId: string, now: Date): Promise<void> {
  await trx('invites')
    .where({ participant_id: participantId, answered_at: null })
    .update({ answered_at: now.toISOString() });
}

export const inviteStates = ['pending', 'sent', 'failed', 'cancelled'] as const;

/** An invitation with its participant and the title of its application. */
export type ListedInvite = InviteRow &
  Pick<ParticipantRow, 'application_id' | 'email' | 'consent_status' | 'removed_at'> & { title: string };

export interface InviteFilter {
  status?: InviteRow['status'] | undefined;
  applicationId?: string | undefined;
}

/** Newest first. */
export function listInvites(
  db: Database,
  { status, applicationId }: InviteFilter,
  limit: number,
): Promise<ListedInvite[]> {
  if (applicationId === undefined) {
    const ids = newestOf(db, 'invites', status ? [status] : inviteStates, limit);
    return invitesNewestFirst(db).whereIn('invites.id', ids);
  }
  const chosen = invitesNewestFirst(db).where('participants.application_id', applicationId).limit(limit);
  return status ? chosen.where('invites.status', status) : chosen;
}

/** Invitations whose mail has failed, given up or waiting for its next attempt: a page of at most `limit`, in order of their ids. */
export function listFailingInvites(
  db: Database,
  {
    failure,
    applicationId,
    after,
  }: { failure?: string | undefined; applicationId?: string | undefined; after: string },
  limit: number,
): Promise<ListedInvite[]> {
  const failing = ofParticipants(db)
    .whereIn('invites.status', ['failed', 'pending'])
    .where('invites.failures', '>', 0)
    .whereNull('participants.removed_at')
    .where('invites.id', '>', after)
    .orderBy('invites.id')
    .limit(limit);
  if (applicationId !== undefined) failing.where('participants.application_id', applicationId);
  if (failure !== undefined) failing.whereLike('invites.failure', `%${failure}%`);
  return failing;
}

export function findInvite(db: Database, id: string): Promise<ListedInvite | undefined> {
  return invitesNewestFirst(db).where('invites.id', id).first();
}

export function listInvitesOf(db: Database, participantIds: readonly string[]): Promise<InviteRow[]> {
  return db('invites').whereIn('participant_id', participantIds);
}

/** The ids of invitations to one key's applications, newest first: no other key may see the mails. */
export async function inviteIdsOfKey(db: Database, apiKeyId: string, limit: number): Promise<string[]> {
  return (await invitesNewestFirst(db).where('applications.api_key_id', apiKeyId).limit(limit)).map(({ id }) => id);
}

export async function isInviteOfKey(db: Database, apiKeyId: string, id: string): Promise<boolean> {
  const found = await invitesNewestFirst(db).where('applications.api_key_id', apiKeyId).where('invites.id', id).first();
  return found !== undefined;
}

/** The number of abandoned invitations of active participants, counted up to a limit. */
export function countFailedInvites(db: Database, limit: number): Promise<number> {
  const ofParticipants = db('invites').join('participants', 'participants.id', 'invites.participant_id');
  return countUpTo(db, ofParticipants.where('invites.status', 'failed').whereNull('participants.removed_at'), limit);
}

/** Mails that failed and wait for another attempt, except for failures that begin with a text; counted up to a limit. */
export async function findWaitingMails(
  db: Database,
  { except }: { except: string },
  limit: number,
): Promise<{ count: number; failure: string | null }> {
  // A condition on `due_at` that its index serves: only pending mails have one.
  const waiting = db('invites')
    .where('due_at', '>', '')
    .where('failures', '>', 0)
    .whereNot('failure', 'like', `${except}%`);
  const count = await countUpTo(db, waiting.clone(), limit);
  const latest = count > 0 ? await waiting.orderBy('due_at', 'desc').first('failure') : undefined;
  return { count, failure: latest?.failure ?? null };
}

function invitesNewestFirst(db: Database) {
  return ofParticipants(db).orderBy(newestFirst('invites'));
}

function ofParticipants(db: Database) {
  return db('invites')
    .join('participants', 'participants.id', 'invites.participant_id')
    .join('applications', 'applications.id', 'participants.application_id')
    .select('invites.*', 'application_id', 'email', 'consent_status', 'removed_at', 'title');
}

/** The API key whose application it is, for the turns of its mails. */
export async function findKeyOfParticipant(trx: Transaction, participantId: string): Promise<string> {
  const application = await trx('participants')
    .join('applications', 'applications.id', 'participants.application_id')
    .where('participants.id', participantId)
    .first('applications.api_key_id');
  return application?.api_key_id ?? UNKNOWN_KEY;
}
