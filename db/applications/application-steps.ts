import type { StepName } from '../../core/rules/progress.ts';
import type { Database } from '../connection/database.ts';
import { among } from '../connection/queries/many-values.ts';
import type { ParticipantRow } from './applications.ts';
import type { TenantRow } from './tenants.ts';

/** A person who takes part in an application and has not declined. */
export type StandingRow = Pick<ParticipantRow, 'id' | 'application_id' | 'consent_status' | 'is_guarantor'> &
  Pick<TenantRow, 'profile_completed_at' | 'profile_outdated_at'> & {
    /** Null before the person has an account. */
    tenant_id: string | null;
    /** The id of the newest success of the given check. */
    succeeded: string | null;
  };

type Check = Extract<StepName, 'kyc' | 'eid' | 'analysis'>;

const CHECKS = {
  kyc: ['kyc_verifications', 'verified'],
  eid: ['eid_flows', 'succeeded'],
  analysis: ['forensic_runs', 'completed'],
} as const satisfies Record<Check, unknown>;

/** The people of some applications. What other tables know is looked up for each: joins would read those tables whole. */
export function listStandings(
  db: Database,
  applicationIds: readonly string[],
  check: Check | undefined,
): Promise<StandingRow[]> {
  return db('participants')
    .where(among(db, 'application_id', applicationIds))
    .whereNull('removed_at')
    .whereNot('consent_status', 'rejected')
    .select<StandingRow[]>(
      ...['id', 'application_id', 'consent_status', 'is_guarantor'],
      ...['profile_completed_at', 'profile_outdated_at'].map((column) => db.raw(`${accountOf(column)} as ${column}`)),
      db.raw(`${accountOf('id')} as tenant_id`),
      db.raw(`${check ? successOf(check) : 'null'} as succeeded`),
    );
}

function accountOf(column: string): string {
  return `(select ${column} from tenants where tenants.comparable_email = participants.comparable_email)`;
}

const KEY_OF = '(select api_key_id from applications where applications.id = participants.application_id)';

/** A person may have thousands of analyses. */
function successOf(check: Check, column: 'id' | 'finished_at' = 'id'): string {
  const [table, status] = CHECKS[check];
  return `(select ${column} from ${table} where tenant_id = ${accountOf('id')} and api_key_id = ${KEY_OF}
    and status = '${status}' order by finished_at desc limit 1)`;
}

/** The moments that show whether someone waits for the landlord. Null where it did not happen. */
export type WaitingRow = Pick<ParticipantRow, 'application_id' | 'email' | 'consent_status'> & {
  /** When the latest mail, which has the link, was given up. */
  mail_failed_at: string | null;
  /** When it was sent. */
  invited_at: string | null;
  /** When the newest analysis was completed. */
  analysed_at: string | null;
  /** When a member last looked at an analysis. */
  read_at: string | null;
};

/** The people of some applications, as for `listStandings`. */
export function listWaiting(db: Database, applicationIds: readonly string[]): Promise<WaitingRow[]> {
  // Whatever it is about: a later mail takes the place of the invitation, and has its link.
  const invitation = (status: 'failed' | 'sent') =>
    `(select max(finished_at) from invites where participant_id = participants.id and status = '${status}')`;
  const looked = `(select max(at) from looks where tenant_id = ${accountOf('id')} and api_key_id = ${KEY_OF}
    and what = 'analysis' and looker <> 'operator')`;
  return db('participants')
    .where(among(db, 'application_id', applicationIds))
    .whereNull('removed_at')
    .whereNot('consent_status', 'rejected')
    .select<WaitingRow[]>(
      ...['application_id', 'email', 'consent_status'],
      db.raw(`${invitation('failed')} as mail_failed_at`),
      db.raw(`${invitation('sent')} as invited_at`),
      db.raw(`${successOf('analysis', 'finished_at')} as analysed_at`),
      db.raw(`${looked} as read_at`),
    );
}

/** Which documents a landlord wants, and the language of its mails, which names a country. */
export interface WantedRow {
  id: string;
  documents: string | null;
  guarantor_documents: string | null;
  language: string | null;
}

export function listWanted(db: Database, landlordIds: readonly string[]): Promise<WantedRow[]> {
  const own = (table: string, column: string) =>
    db.raw(`(select ${column} from ${table} where landlord_id = landlords.id) as ${column}`);
  return db('landlords')
    .where(among(db, 'id', landlordIds))
    .select<WantedRow[]>(
      'id',
      own('landlord_settings', 'documents'),
      own('landlord_settings', 'guarantor_documents'),
      own('landlord_brands', 'language'),
    );
}
