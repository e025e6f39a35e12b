import type { LandlordPeriods } from '../../core/rules/landlord-settings.ts';
import type { TenantOfKey } from '../../core/rules/tenant-of-key.ts';
import { type Brand, brandColumns, brandOf } from '../access/landlord-brands.ts';
import { type Contact, contactColumns, contactOf, periodColumns, periodsOf } from '../access/landlord-settings.ts';
import type { Database } from '../connection/database.ts';
import { namedColumns, prepared } from '../connection/prepared.ts';

/** Who makes a request of a tenant, and for which application; hosted pages show both. */
export interface Requester {
  landlord: string;
  brand: Brand;
  contact: Contact;
  /** After how many days the landlord wants data deleted. */
  periods: LandlordPeriods;
  /** Whether the tenant is its guarantor. */
  isGuarantor: boolean;
  /** The title of the application. */
  title: string;
  /** The tenant's name in the application, possibly empty. Other API keys may use another name. */
  name: string;
}

/** A row about a tenant, and the API key that asked for it; null when no key is known. */
interface AskedFor {
  tenant_id: string;
  api_key_id: string | null;
  /** The application for which the flow was started; null when it is not known. */
  application_id?: string | null;
}

const DECLINED_LAST = "case participants.consent_status when 'rejected' then 1 else 0 end";

/** The applications of a key in which a tenant takes part, those declined included. */
function applicationsOf(db: Database, tenantId: string, apiKeyId: string) {
  return db('applications')
    .join('participants', 'participants.application_id', 'applications.id')
    .join('tenants', 'tenants.comparable_email', 'participants.comparable_email')
    .where('tenants.id', tenantId)
    .where('applications.api_key_id', apiKeyId)
    .whereNull('participants.removed_at');
}

/** For which application a flow is started: the newest in which the tenant takes part. */
export async function findNewestApplication(
  db: Database,
  { tenant_id, api_key_id }: TenantOfKey,
): Promise<string | null> {
  const row = await applicationsOf(db, tenant_id, api_key_id)
    .orderByRaw(DECLINED_LAST)
    .orderBy('applications.created_at', 'desc')
    .orderBy('applications.id', 'desc')
    .first({ id: 'applications.id' });
  return row?.id ?? null;
}

type RequesterRow = Parameters<typeof brandOf>[0] &
  Contact &
  LandlordPeriods &
  Pick<Requester, 'landlord' | 'title' | 'name'> & { is_guarantor: 0 | 1 };

// Prepared, because planning so many joins costs more than the look-up.
const requester = prepared<RequesterRow>(`
  select landlords.name as landlord, applications.title, participants.name, participants.is_guarantor,
    ${namedColumns(brandColumns, contactColumns, periodColumns)}
  from applications
  join participants on participants.application_id = applications.id
  join tenants on tenants.comparable_email = participants.comparable_email
  join api_keys on api_keys.id = applications.api_key_id
  join landlords on landlords.id = api_keys.landlord_id
  left join landlord_brands on landlord_brands.landlord_id = landlords.id
  left join landlord_settings on landlord_settings.landlord_id = landlords.id
  where tenants.id = ? and applications.api_key_id = ? and participants.removed_at is null
  order by ${DECLINED_LAST}, case applications.id when ? then 0 else 1 end,
    applications.created_at desc, applications.id desc
  limit 1`);

/**
 * The key's landlord, and the application for which the flow was started. Without one, or when the tenant has left it: the newest in which they
 * take part, including one they declined last. Undefined without any.
 */
export async function findRequester(
  db: Database,
  { tenant_id, api_key_id, application_id = null }: AskedFor,
): Promise<Requester | undefined> {
  if (api_key_id === null) return undefined;
  const [row] = await requester(db, tenant_id, api_key_id, application_id ?? '');
  if (!row) return undefined;
  const { landlord, title, name, is_guarantor } = row;
  const shown = { brand: brandOf(row), contact: contactOf(row), periods: periodsOf(row) };
  return { landlord, title, name, isGuarantor: is_guarantor === 1, ...shown };
}

/** Whether the tenant is or ever was in an application of another API key. */
export async function hasOtherKey(db: Database, { tenant_id, api_key_id }: AskedFor): Promise<boolean> {
  const other = await db('applications')
    .join('participants', 'participants.application_id', 'applications.id')
    .join('tenants', 'tenants.comparable_email', 'participants.comparable_email')
    .where('tenants.id', tenant_id)
    .whereNot('applications.api_key_id', api_key_id ?? '')
    .first('applications.id');
  return other !== undefined;
}
