import { type Brand, brandColumns, brandOf } from '../access/landlord-brands.ts';
import { type Contact, contactColumns, contactOf } from '../access/landlord-settings.ts';
import type { Database } from '../connection/database.ts';

/** Who makes a request of a tenant, and for which application; hosted pages show both. */
export interface Requester {
  landlord: string;
  brand: Brand;
  contact: Contact;
  /** The title of the application. */
  title: string;
  /** The tenant's name in the application, possibly empty. Other API keys may use another name. */
  name: string;
}

/** A row about a tenant, and the API key that asked for it; null when no key is known. */
interface AskedFor {
  tenant_id: string;
  api_key_id: string | null;
}

/** The key's landlord and its newest application in which the tenant takes part, including one they declined last; undefined without one. */
export async function findRequester(db: Database, { tenant_id, api_key_id }: AskedFor): Promise<Requester | undefined> {
  if (api_key_id === null) return undefined;
  const row = await db('applications')
    .join('participants', 'participants.application_id', 'applications.id')
    .join('tenants', 'tenants.comparable_email', 'participants.comparable_email')
    .join('api_keys', 'api_keys.id', 'applications.api_key_id')
    .join('landlords', 'landlords.id', 'api_keys.landlord_id')
    .leftJoin('landlord_brands', 'landlord_brands.landlord_id', 'landlords.id')
    .leftJoin('landlord_settings', 'landlord_settings.landlord_id', 'landlords.id')
    .where('tenants.id', tenant_id)
    .where('applications.api_key_id', api_key_id)
    .whereNull('participants.removed_at')
    .orderByRaw("case participants.consent_status when 'rejected' then 1 else 0 end")
    .orderBy('applications.created_at', 'desc')
    .orderBy('applications.id', 'desc')
    .first({
      ...brandColumns,
      ...contactColumns,
      landlord: 'landlords.name',
      title: 'applications.title',
      name: 'participants.name',
    });
  return (
    row && { landlord: row.landlord, title: row.title, name: row.name, brand: brandOf(row), contact: contactOf(row) }
  );
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
