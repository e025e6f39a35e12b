import type { Knex } from 'knex';
import { NotFound } from '../../core/errors.ts';
import { lockAnyApplication } from '../applications/applications.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { inScope, type Scope } from '../connection/queries/scope.ts';

/** A person's request, made through their link, to be erased. At most one per participant. */
export interface ErasureRequestRow {
  participant_id: string;
  /** The application in which the participant takes part. */
  api_key_id: string;
  requested_at: string;
  /** By when the person must have an answer. */
  due_at: string;
  closed_at: string | null;
  outcome: 'erased' | 'refused' | null;
  /** Why it was refused, in words for the person. */
  reason: string | null;
}

const OPEN = { closed_at: null, outcome: null, reason: null };

/**
 * An open request stays as it is; a closed one is reopened. Locks the participant, so that they are not being forgotten.
 * @returns whether anything changed @throws NotFound
 */
export async function askForErasure(
  trx: Transaction,
  request: Pick<ErasureRequestRow, 'participant_id' | 'api_key_id' | 'requested_at' | 'due_at'>,
): Promise<boolean> {
  const participant = trx('participants').where({ id: request.participant_id });
  const found = await participant.clone().first('application_id');
  if (found) await lockAnyApplication(trx, found.application_id);
  if (!(await participant.forNoKeyUpdate().first('id'))) throw new NotFound('Participant');
  const asked = await trx('erasure_requests')
    .insert({ ...request, ...OPEN })
    .onConflict('participant_id')
    .merge()
    .whereNotNull('erasure_requests.closed_at')
    .returning('participant_id');
  return asked.length > 0;
}

export function findErasureRequest(
  db: Database,
  { participantId, apiKeyId }: { participantId: string; apiKeyId: string },
): Promise<ErasureRequestRow | undefined> {
  return db('erasure_requests').where({ participant_id: participantId, api_key_id: apiKeyId }).first();
}

/** For people who are forgotten, the request and its timely answer stay as proof; the reason does not. */
export async function forgetReasons(trx: Transaction, participantIds: readonly string[]): Promise<void> {
  await trx('erasure_requests').whereIn('participant_id', participantIds).update({ reason: null });
}

/** Closes the open requests. @returns how many there were */
export function closeErasureRequests(
  trx: Transaction,
  participantIds: readonly string[],
  { outcome, reason }: Pick<ErasureRequestRow, 'outcome' | 'reason'>,
  now: Date,
): Promise<number> {
  return trx('erasure_requests')
    .whereIn('participant_id', participantIds)
    .whereNull('closed_at')
    .update({ outcome, reason, closed_at: now.toISOString() });
}

/** Deletes an open request that its person takes back. @returns false when there is none */
export async function withdrawErasureRequest(trx: Transaction, participantId: string): Promise<boolean> {
  const open = trx('erasure_requests').where({ participant_id: participantId }).whereNull('closed_at');
  return (await open.delete()) === 1;
}

export type OpenErasureRequest = ErasureRequestRow & {
  email: string;
  application_id: string;
  title: string;
  landlord_id: string;
  landlord: string;
  /** In how many other applications the person takes or took part. */
  other_landlords: number;
};

export interface ErasureFilter {
  applicationId?: string;
  /** The canonical address of the person. */
  comparableEmail?: string;
}

/** The open requests, earliest deadline first, each with its landlord. */
export function listErasureRequests(
  db: Database,
  scope: Scope,
  { applicationId, comparableEmail }: ErasureFilter,
  limit: number,
): Promise<OpenErasureRequest[]> {
  const requests = open(db).where(inScope(scope, 'api_key_id')).orderBy('due_at').limit(limit);
  const people = db('participants').select('id');
  if (applicationId !== undefined)
    requests.whereIn('participant_id', people.clone().where({ application_id: applicationId }));
  if (comparableEmail !== undefined)
    requests.whereIn('participant_id', people.clone().where({ comparable_email: comparableEmail }));
  // Limited before the joins, so that their cost does not grow with the requests.
  return listed(db, requests).orderBy('due_at');
}

/** One that is open. */
export async function findOpenErasureRequest(
  db: Database,
  participantId: string,
): Promise<OpenErasureRequest | undefined> {
  return (await listed(db, open(db).where({ participant_id: participantId })))[0];
}

function open(db: Database) {
  return db('erasure_requests').whereNull('closed_at');
}

/** Whether the participant of the row that surrounds it waits for an answer: for `whereNotExists`. */
export function openErasureRequest(db: Database) {
  return open(db).where('erasure_requests.participant_id', db.ref('participants.id')).select(db.raw('1'));
}

function listed(db: Database, requests: Knex.QueryBuilder) {
  const elsewhere = db({ other: 'participants' })
    .join({ theirs: 'applications' }, 'theirs.id', 'other.application_id')
    .join({ keys: 'api_keys' }, 'keys.id', 'theirs.api_key_id')
    .where('other.comparable_email', db.ref('participants.comparable_email'))
    .whereNot('keys.landlord_id', db.ref('landlords.id'))
    .countDistinct('keys.landlord_id');
  return db
    .from(requests.as('erasure_requests'))
    .join('participants', 'participants.id', 'erasure_requests.participant_id')
    .join('applications', 'applications.id', 'participants.application_id')
    .join('api_keys', 'api_keys.id', 'erasure_requests.api_key_id')
    .join('landlords', 'landlords.id', 'api_keys.landlord_id')
    .select<OpenErasureRequest[]>(
      'erasure_requests.*',
      'participants.email',
      'participants.application_id',
      'applications.title',
      'landlords.name as landlord',
    )
    .select('api_keys.landlord_id', elsewhere.as('other_landlords'));
}

/** The earliest deadline among open requests, and their number up to a limit. */
export async function countErasureRequests(
  db: Database,
  limit: number,
): Promise<{ count: number; earliest: string | undefined }> {
  const open = await db('erasure_requests').whereNull('closed_at').orderBy('due_at').limit(limit).pluck('due_at');
  return { count: open.length, earliest: open[0] };
}
