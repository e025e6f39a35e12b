/**
 * Shared by all peers, so that they differ only in how they handle requests and answers: the same hand-written statements on the same
 * database.
 */
import type { RequestedApplication } from './new-application.ts';

/** SQLite answers synchronously, Postgres later. */
export type Soon<Value> = Value | Promise<Value>;

export interface KeyRow {
  id: string;
  revoked_at: string | null;
  expires_at: string | null;
}

export interface ApplicationRow {
  id: string;
  title: string;
  created_at: string;
  updated_at: string;
}

/** With the account of the same e-mail address, if there is one. */
export interface ParticipantRow {
  name: string;
  email: string;
  consent_status: string;
  tenant_id: string | null;
  profile_completed_at: string | null;
  profile_outdated_at: string | null;
}

export interface FoundApplication {
  application: ApplicationRow;
  participants: ParticipantRow[];
}

export interface CreatedApplication {
  id: string;
  title: string;
  /** False when the same people had one already. */
  isNew: boolean;
}

export interface Data {
  findKey(id: string): Soon<KeyRow | undefined>;
  findApplication(keyId: string, applicationId: string): Soon<FoundApplication | undefined>;
  createApplication(keyId: string, request: RequestedApplication, now: Date): Soon<CreatedApplication>;
}

export const FIND_KEY = 'select id, revoked_at, expires_at from api_keys where id = $1';

export const FIND_APPLICATION =
  'select id, title, created_at, updated_at from applications where id = $1 and api_key_id = $2';

export const FIND_PARTICIPANTS = `
  select p.name, p.email, p.consent_status, t.id as tenant_id, t.profile_completed_at, t.profile_outdated_at
  from participants p left join tenants t on t.comparable_email = p.comparable_email
  where p.application_id = $1 and p.removed_at is null order by p.position`;

/** Both in one statement, whose participants are JSON, as the service does. */
export const FIND_AT_ONCE = (list: string, object: string) => `
  select id, title, created_at, updated_at, (
    select coalesce(cast(${list}(${object}(
      'name', p.name, 'email', p.email, 'consent_status', p.consent_status, 'tenant_id', t.id,
      'profile_completed_at', t.profile_completed_at, 'profile_outdated_at', t.profile_outdated_at) order by p.position) as text), '[]')
    from participants p left join tenants t on t.comparable_email = p.comparable_email
    where p.application_id = applications.id and p.removed_at is null
  ) as participants
  from applications where id = $1 and api_key_id = $2`;

export type FoundAtOnce = ApplicationRow & { participants: string };

/** Options for starting a peer. */
export const isAtOnce = process.env['AT_ONCE'] === 'true';

export function asFound(row: FoundAtOnce | undefined): FoundApplication | undefined {
  return row && { application: row, participants: JSON.parse(row.participants) };
}

export const FIND_SAME_PEOPLE = `
  select id, title from applications where api_key_id = $1 and active_email_key = $2 order by created_at, id limit 1`;
