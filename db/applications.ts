import { Conflict, NotFound } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { comparableEmail, emailSetKey } from '../core/participants.ts';
import type { Database, Transaction } from './connect.ts';
import type { ApplicationRow, ParticipantRow, TenantRow } from './rows.ts';

/** A participant with the account of the same e-mail address, if there is one. */
export type LinkedParticipant = ParticipantRow & {
  tenant_id: TenantRow['id'] | null;
  profile_completed_at: string | null;
  profile_outdated_at: string | null;
};

/** An application and its active participants. */
export interface ApplicationWithParticipants {
  application: ApplicationRow;
  participants: LinkedParticipant[];
}

/**
 * Applications are visible to the API key that created them and to no other (product document 2.2).
 * @throws NotFound
 */
export async function findApplication(
  db: Database,
  apiKeyId: string,
  applicationId: string,
): Promise<ApplicationWithParticipants> {
  const application = await db('applications').where({ id: applicationId, api_key_id: apiKeyId }).first();
  if (!application) throw new NotFound('Application');
  return { application, participants: await activeParticipants(db, applicationId) };
}

/** The same for whoever will change it: nobody else can until the transaction ends. */
export async function lockApplication(trx: Transaction, apiKeyId: string, applicationId: string): Promise<void> {
  const application = await trx('applications')
    .where({ id: applicationId, api_key_id: apiKeyId })
    .forNoKeyUpdate()
    .first('id');
  if (!application) throw new NotFound('Application');
}

/** The same for operators, who may change every application. @throws NotFound */
export async function lockAnyApplication(trx: Transaction, applicationId: string): Promise<void> {
  const application = await trx('applications').where({ id: applicationId }).forNoKeyUpdate().first('id');
  if (!application) throw new NotFound('Application');
}

/** Who takes part in a new application. */
export interface NewParticipant {
  email: string;
  name?: string;
  isLead: boolean;
  consentStatus?: ParticipantRow['consent_status'];
}

/** Stores an application with its participants in the order given. */
export async function insertApplication(
  trx: Transaction,
  apiKeyId: string,
  title: string,
  people: readonly NewParticipant[],
  now: Date,
): Promise<{ applicationId: string; participants: ParticipantRow[] }> {
  const applicationId = newId();
  const createdAt = now.toISOString();
  await trx('applications').insert({
    id: applicationId,
    api_key_id: apiKeyId,
    title,
    active_email_key: emailSetKey(people.map(({ email }) => email)),
    created_at: createdAt,
    updated_at: createdAt,
  });
  const participants = people.map(
    ({ email, name = '', isLead, consentStatus = 'pending' }, position): ParticipantRow => ({
      id: newId(),
      application_id: applicationId,
      position,
      email,
      comparable_email: comparableEmail(email),
      name,
      is_lead: isLead ? 1 : 0,
      is_guarantor: 0,
      consent_status: consentStatus,
      removed_at: null,
    }),
  );
  await trx('participants').insert(participants);
  return { applicationId, participants };
}

/** The key's application with exactly these active addresses, the oldest if removals made more than one. */
export function findApplicationByEmails(
  db: Database,
  apiKeyId: string,
  emails: readonly string[],
): Promise<ApplicationRow | undefined> {
  return db('applications')
    .where({ api_key_id: apiKeyId, active_email_key: emailSetKey(emails) })
    .orderBy('created_at')
    .orderBy('id')
    .first();
}

/** @throws NotFound */
export async function findActiveParticipant(
  trx: Transaction,
  applicationId: string,
  email: string,
): Promise<ParticipantRow> {
  const participant = await trx('participants')
    .where({ application_id: applicationId, comparable_email: comparableEmail(email) })
    .whereNull('removed_at')
    .first();
  if (!participant) throw new NotFound('Participant');
  return participant;
}

/**
 * Makes an active participant of a locked application its lead.
 * @returns whether somebody else was
 * @throws Conflict when they have declined
 */
export async function transferLead(trx: Transaction, to: ParticipantRow, now: Date): Promise<boolean> {
  if (to.is_lead) return false;
  if (to.consent_status === 'rejected')
    throw new Conflict('Somebody who has declined the invitation cannot become the lead.');
  const { id, application_id } = to;
  // In this order: the database refuses two leads even for a moment, and nobody sees the moment without one.
  await trx('participants').where({ application_id, is_lead: 1 }).whereNull('removed_at').update({ is_lead: 0 });
  await trx('participants').where({ id }).update({ is_lead: 1 });
  await touchApplication(trx, application_id, now);
  return true;
}

/** Brings `updated_at` and the key of the active addresses up to date after a change of participants. */
export async function touchApplication(trx: Transaction, applicationId: string, now: Date): Promise<void> {
  const active = await trx('participants')
    .where({ application_id: applicationId })
    .whereNull('removed_at')
    .select('email');
  await trx('applications')
    .where({ id: applicationId })
    .update({ updated_at: now.toISOString(), active_email_key: emailSetKey(active.map(({ email }) => email)) });
}

function activeParticipants(db: Database, applicationId: string): Promise<LinkedParticipant[]> {
  return db('participants')
    .leftJoin('tenants', 'tenants.comparable_email', 'participants.comparable_email')
    .where({ application_id: applicationId })
    .whereNull('removed_at')
    .orderBy('position')
    .select('participants.*', 'tenants.id as tenant_id', 'tenants.profile_completed_at', 'tenants.profile_outdated_at');
}
