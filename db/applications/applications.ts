import { Conflict, NotFound } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { comparableEmail, emailSetKey } from '../../core/rules/participants.ts';
import type { components } from '../../generated/openapi.d.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { prepared, preparedInsert } from '../connection/prepared.ts';
import { keyRead, type ReadForCaller } from '../connection/queries/key-reads.ts';
import type { ShortTransaction } from '../connection/short-transaction.ts';
import type { TenantRow } from './tenants.ts';

export interface ApplicationRow {
  id: string;
  api_key_id: string;
  title: string;
  active_email_key: string;
  created_at: string;
  updated_at: string;
  property_internal_id: number | null;
}

export interface ParticipantRow {
  id: string;
  application_id: string;
  position: number;
  email: string;
  comparable_email: string;
  name: string;
  is_lead: 0 | 1;
  is_guarantor: 0 | 1;
  consent_status: components['schemas']['ConsentStatus'];
  removed_at: string | null;
}

/** A participant with the account of the same e-mail address, if there is one. */
export type LinkedParticipant = Pick<
  ParticipantRow,
  'position' | 'email' | 'name' | 'is_lead' | 'is_guarantor' | 'consent_status'
> & {
  tenant_id: TenantRow['id'] | null;
} & Pick<TenantRow, 'profile_completed_at' | 'profile_outdated_at'>;

type FoundApplication = Pick<ApplicationRow, 'id' | 'title' | 'created_at' | 'updated_at'>;

/** An application and its active participants, in their order. */
export interface ApplicationWithParticipants {
  application: FoundApplication;
  participants: LinkedParticipant[];
}

const APPLICATION: Record<keyof FoundApplication, string> = {
  ...{ id: 'applications.id', title: 'applications.title' },
  ...{ created_at: 'applications.created_at', updated_at: 'applications.updated_at' },
};
const PARTICIPANT: Record<keyof LinkedParticipant, string | true> = {
  ...{ position: true, email: 'participants.email', name: 'participants.name', is_lead: true, is_guarantor: true },
  ...{ consent_status: true, tenant_id: 'tenants.id', profile_completed_at: true, profile_outdated_at: true },
};

const applicationWithParticipants = keyRead<ApplicationWithParticipants>(
  ({ object, objectOf, list }) =>
    `select ${objectOf({
      application: object(APPLICATION),
      participants: `(
        select ${list(object(PARTICIPANT))}
        from participants left join tenants on tenants.comparable_email = participants.comparable_email
        where application_id = applications.id and removed_at is null
      )`,
    })} from applications where applications.id = ? and applications.api_key_id = api_keys.id`,
);

/** Ownership of applications: only the API key that created one sees it (product document 2.2). @throws NotFound */
export async function findApplication(
  read: ReadForCaller,
  applicationId: string,
): Promise<ApplicationWithParticipants> {
  const found = await read(applicationWithParticipants, applicationId);
  if (!found) throw new NotFound('Application');
  found.participants.sort((one, other) => one.position - other.position);
  return found;
}

/** Locks the application until the transaction ends. @throws NotFound */
export async function lockApplication(trx: Transaction, apiKeyId: string, applicationId: string): Promise<void> {
  const application = await trx('applications')
    .where({ id: applicationId, api_key_id: apiKeyId })
    .forNoKeyUpdate()
    .first('id');
  if (!application) throw new NotFound('Application');
}

/** Like `lockApplication`, for operators and for people who follow a link, which names the application. @throws NotFound */
export async function lockAnyApplication(
  trx: Transaction,
  applicationId: string,
): Promise<Pick<ApplicationRow, 'api_key_id'>> {
  const application = await trx('applications').where({ id: applicationId }).forNoKeyUpdate().first('api_key_id');
  if (!application) throw new NotFound('Application');
  return application;
}

export interface NewParticipant {
  email: string;
  name?: string;
  isLead: boolean;
  isGuarantor?: boolean;
  consentStatus?: ParticipantRow['consent_status'];
}

type NewApplication = Omit<ApplicationRow, 'updated_at' | 'property_internal_id'> & { participants: ParticipantRow[] };

const insertedApplication = prepared(
  `insert into applications (id, api_key_id, title, active_email_key, created_at, updated_at)
    select * from (select ? as id, ? as api_key_id, ? as title, ? as active_email_key, ? as created_at, ? as updated_at) as given
    where not exists (
      select 1 from applications
      where applications.api_key_id = given.api_key_id and applications.active_email_key = given.active_email_key)`,
);

/** Undefined for an application that was not inserted. */
const insertedParticipants = preparedInsert(
  'participants',
  {
    id: 'text',
    application_id: 'text',
    position: 'integer',
    email: 'text',
    comparable_email: 'text',
    name: 'text',
    is_lead: 'smallint',
    is_guarantor: 'smallint',
    consent_status: 'text',
  },
  '(select true from applications where applications.id = given.application_id)',
);

/** The rows of an application and its participants, in input order. */
export function newApplication(
  apiKeyId: string,
  title: string,
  people: readonly NewParticipant[],
  now: Date,
  id: string = newId(),
): NewApplication {
  const created_at = now.toISOString();
  const participants = people.map(
    ({ email, name = '', isLead, isGuarantor = false, consentStatus = 'pending' }, position): ParticipantRow => ({
      id: newId(),
      application_id: id,
      position,
      email,
      comparable_email: comparableEmail(email),
      name,
      is_lead: isLead ? 1 : 0,
      is_guarantor: isGuarantor ? 1 : 0,
      consent_status: consentStatus,
      removed_at: null,
    }),
  );
  const active_email_key = emailSetKey(people.map(({ email }) => email));
  return { id, api_key_id: apiKeyId, title, active_email_key, created_at, participants };
}

/** A no-op when the key already has an application with the same people. */
export async function insertApplication(
  trx: Transaction | ShortTransaction,
  application: NewApplication,
): Promise<void> {
  const { id, api_key_id, title, active_email_key, created_at, participants } = application;
  await Promise.all([
    insertedApplication(trx, id, api_key_id, title, active_email_key, created_at, created_at),
    insertedParticipants(trx, participants),
  ]);
}

/** With bare parameters, SQLite would prepare it again at each run, because it sorts: three quarters of its time. */
const sameApplication = prepared<Pick<ApplicationRow, 'id' | 'title'>>(
  `select id, title from applications where api_key_id = cast(? as text) and active_email_key = cast(? as text)
    order by created_at, id limit 1`,
);

/** The key's application with exactly the same active addresses: the one just inserted, or the oldest when removals made several equal. */
export async function findSameApplication(
  trx: ShortTransaction,
  { api_key_id, active_email_key }: NewApplication,
): Promise<Pick<ApplicationRow, 'id' | 'title'>> {
  const [application] = await sameApplication(trx, api_key_id, active_email_key);
  if (!application) throw new NotFound('Application');
  return application;
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

/** An active participant. */
export function findParticipant(db: Database, id: string): Promise<ParticipantRow | undefined> {
  return db('participants').where({ id }).whereNull('removed_at').first();
}

/** Who may become the lead: active participants who have accepted, in their order. */
export function listCandidates(db: Database, applicationId: string): Promise<ParticipantRow[]> {
  return db('participants')
    .where({ application_id: applicationId, is_lead: 0, consent_status: 'accepted' })
    .whereNull('removed_at')
    .orderBy('position');
}

/** Updates a participant of a locked application. Call `touchApplication` afterwards. */
export async function setParticipant(
  trx: Transaction,
  id: string,
  columns: Partial<Pick<ParticipantRow, 'consent_status' | 'name' | 'is_guarantor' | 'removed_at'>>,
): Promise<void> {
  await trx('participants').where({ id }).update(columns);
}

/**
 * The caller has locked the application. @returns false when the participant is already the lead @throws Conflict when they have declined
 */
export async function transferLead(trx: Transaction, to: ParticipantRow, now: Date): Promise<boolean> {
  if (to.is_lead) return false;
  if (to.consent_status === 'rejected')
    throw new Conflict('A person who has declined the invitation cannot become the lead.');
  const { id, application_id } = to;
  // Demote first: a unique index forbids two leads. No other transaction sees the application without a lead.
  await trx('participants').where({ application_id, is_lead: 1 }).whereNull('removed_at').update({ is_lead: 0 });
  await trx('participants').where({ id }).update({ is_lead: 1 });
  await touchApplication(trx, application_id, now);
  return true;
}

/** Updates `updated_at` and the active-address key after participants have changed. */
export async function touchApplication(trx: Transaction, applicationId: string, now: Date): Promise<void> {
  const active = await trx('participants')
    .where({ application_id: applicationId })
    .whereNull('removed_at')
    .pluck('email');
  await trx('applications')
    .where({ id: applicationId })
    .update({ updated_at: now.toISOString(), active_email_key: emailSetKey(active) });
}
