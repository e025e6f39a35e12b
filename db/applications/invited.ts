import type { LandlordPeriods } from '../../core/rules/landlord-settings.ts';
import type { OnboardingProfile } from '../../core/rules/onboarding.ts';
import { comparableEmail, wasGroup } from '../../core/rules/participants.ts';
import type { KeyLife } from '../access/api-key-states.ts';
import { type Brand, brandColumns, brandOf } from '../access/landlord-brands.ts';
import { type Contact, contactColumns, contactOf, periodColumns, periodsOf } from '../access/landlord-settings.ts';
import type { Database } from '../connection/database.ts';
import { namedColumns, prepared } from '../connection/prepared.ts';
import type { ApplicationRow, ParticipantRow } from './applications.ts';

/** What an invited participant is shown. */
export interface Invited {
  applicationId: string;
  /** The API key that created the application. */
  apiKeyId: string;
  title: string;
  landlord: string;
  brand: Brand;
  contact: Contact;
  /** After how many days the landlord wants data deleted. */
  periods: LandlordPeriods;
  email: string;
  /** In the application; empty until it is set. Another landlord may know them by another name. */
  name: string;
  consent: ParticipantRow['consent_status'];
  isLead: boolean;
  isGuarantor: boolean;
  /** From their account, which landlords share; empty without an account. */
  profile: OnboardingProfile;
  /** The lead's name; null when the participant is the lead, or the lead has none. Never an e-mail address: it is the lead's own. */
  inviter: string | null;
  /** When the API key that created the application expires or was revoked. */
  key: KeyLife;
}

/** What a person whom the landlord has removed is still shown. */
export type Removed = Pick<Invited, 'apiKeyId' | 'title' | 'landlord' | 'brand' | 'contact' | 'email'>;

type InvitedRow = Pick<
  ParticipantRow,
  'application_id' | 'email' | 'name' | 'consent_status' | 'is_lead' | 'is_guarantor' | 'removed_at'
> &
  Pick<ApplicationRow, 'title' | 'api_key_id'> &
  Parameters<typeof brandOf>[0] &
  Contact &
  LandlordPeriods &
  KeyLife & { landlord: string; lead_name: string | null } & OnboardingProfile;

// Prepared, because planning so many joins costs more than the look-up.
const invited = prepared<InvitedRow>(`
  select participants.application_id, participants.email, participants.name, participants.consent_status,
    participants.is_lead, participants.is_guarantor, participants.removed_at, applications.title, applications.api_key_id,
    landlords.name as landlord, leads.name as lead_name, api_keys.revoked_at, api_keys.expires_at,
    tenants.profile_completed_at, tenants.profile_outdated_at,
    ${namedColumns(brandColumns, contactColumns, periodColumns)}
  from participants
  join applications on applications.id = participants.application_id
  join api_keys on api_keys.id = applications.api_key_id
  join landlords on landlords.id = api_keys.landlord_id
  left join landlord_brands on landlord_brands.landlord_id = landlords.id
  left join landlord_settings on landlord_settings.landlord_id = landlords.id
  left join tenants on tenants.comparable_email = participants.comparable_email
  left join participants leads
    on leads.application_id = applications.id and leads.is_lead = 1 and leads.removed_at is null
  where participants.id = ?`);

/** What an active participant is shown; undefined for anyone else. */
export async function findInvited(db: Database, participantId: string): Promise<Invited | undefined> {
  const [row] = await invited(db, participantId);
  if (!row || row.removed_at !== null) return undefined;
  const { application_id, api_key_id, title, landlord, email, name, revoked_at, expires_at } = row;
  const { profile_completed_at, profile_outdated_at } = row;
  return {
    ...{ title, landlord, email, name, brand: brandOf(row), contact: contactOf(row), periods: periodsOf(row) },
    applicationId: application_id,
    apiKeyId: api_key_id,
    consent: row.consent_status,
    isLead: row.is_lead === 1,
    isGuarantor: row.is_guarantor === 1,
    profile: { profile_completed_at, profile_outdated_at },
    inviter: row.is_lead ? null : shownName(row.lead_name),
    key: { revoked_at, expires_at },
  };
}

/** What a removed participant is shown; undefined for anyone else. */
export async function findRemoved(db: Database, participantId: string): Promise<Removed | undefined> {
  const [row] = await invited(db, participantId);
  if (!row || row.removed_at === null) return undefined;
  const { api_key_id, title, landlord, email } = row;
  return { apiKeyId: api_key_id, title, landlord, email, brand: brandOf(row), contact: contactOf(row) };
}

/** The name in the application. The account's name may come from another landlord. */
function shownName(name: string | null): string | null {
  return name === null || name === '' || name.includes('@') ? null : name;
}

/** How many declined applications to compare, newest first. */
const MAX_DECLINED = 100;

/** Whether the person declined an application of the same key that at some time had the same participants. */
export async function hasDeclinedSameGroup(
  db: Database,
  { apiKeyId, applicationId, email }: Pick<Invited, 'apiKeyId' | 'applicationId' | 'email'>,
): Promise<boolean> {
  const declined = await db('participants')
    .join('applications', 'applications.id', 'participants.application_id')
    .where({ comparable_email: comparableEmail(email), consent_status: 'rejected', api_key_id: apiKeyId })
    .whereNot({ application_id: applicationId })
    .orderBy('applications.created_at', 'desc')
    .limit(MAX_DECLINED)
    .pluck('application_id');
  if (declined.length === 0) return false;
  const members = await db('participants')
    .whereIn('application_id', [applicationId, ...declined])
    .select('application_id', 'comparable_email', 'removed_at');
  const byApplication = Map.groupBy(members, ({ application_id }) => application_id);
  const present = (byApplication.get(applicationId) ?? []).filter(({ removed_at }) => removed_at === null);
  const group = new Set(present.map(({ comparable_email }) => comparable_email));
  return declined.some((id) => wasGroup(byApplication.get(id) ?? [], group));
}
