import type { Database } from '../connection/connect.ts';
import type { ParticipantRow } from './applications.ts';

/** What somebody who is asked to take part is told. */
export interface Invited {
  applicationId: string;
  title: string;
  landlord: string;
  /** The address of whoever is asked. */
  email: string;
  /** Empty until it is set. */
  name: string;
  /** The name that their account has; null without an account. */
  accountName: string | null;
  consent: ParticipantRow['consent_status'];
  /** The name of who leads the application, or else their address; null where that is whoever is asked. */
  inviter: string | null;
}

/** What an active participant is told; undefined for somebody who takes no part (any more). */
export async function findInvited(db: Database, participantId: string): Promise<Invited | undefined> {
  const row = await db('participants')
    .join('applications', 'applications.id', 'participants.application_id')
    .join('api_keys', 'api_keys.id', 'applications.api_key_id')
    .join('landlords', 'landlords.id', 'api_keys.landlord_id')
    .leftJoin('tenants', 'tenants.comparable_email', 'participants.comparable_email')
    .where('participants.id', participantId)
    .whereNull('removed_at')
    .first('participants.*', 'applications.title', 'landlords.name as landlord', 'tenants.name as account_name');
  if (!row) return undefined;
  const { application_id, title, landlord, email, name, account_name, consent_status, is_lead } = row;
  const inviter = is_lead ? null : await leadOf(db, application_id);
  return {
    ...{ title, landlord, email, name, inviter },
    applicationId: application_id,
    accountName: account_name,
    consent: consent_status,
  };
}

/** As the application has it. Not the name of their account, which another landlord may know them by. */
async function leadOf(db: Database, applicationId: string): Promise<string | null> {
  const lead = await db('participants')
    .where({ application_id: applicationId, is_lead: 1 })
    .whereNull('removed_at')
    .first('name', 'email');
  return lead ? lead.name || lead.email : null;
}
