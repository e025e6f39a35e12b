import type { Database } from '../connection/connect.ts';

/** Who asks a tenant for something, and for what; hosted pages name both. */
export interface Asker {
  landlord: string;
  /** The title of the application. */
  title: string;
  /** The tenant's name in the application, possibly empty. Other keys may know another one. */
  name: string;
}

/** A row about a tenant, and the API key that asked for it; null when no key is known. */
interface AskedFor {
  tenant_id: string;
  api_key_id: string | null;
}

/**
 * The landlord of the key, and its newest application in which the tenant takes part, one that they declined last; undefined without
 * one.
 */
export async function findAsker(db: Database, { tenant_id, api_key_id }: AskedFor): Promise<Asker | undefined> {
  if (api_key_id === null) return undefined;
  return db('applications')
    .join('participants', 'participants.application_id', 'applications.id')
    .join('tenants', 'tenants.comparable_email', 'participants.comparable_email')
    .join('api_keys', 'api_keys.id', 'applications.api_key_id')
    .join('landlords', 'landlords.id', 'api_keys.landlord_id')
    .where('tenants.id', tenant_id)
    .where('applications.api_key_id', api_key_id)
    .whereNull('participants.removed_at')
    .orderByRaw("case participants.consent_status when 'rejected' then 1 else 0 end")
    .orderBy('applications.created_at', 'desc')
    .orderBy('applications.id', 'desc')
    .first({ landlord: 'landlords.name', title: 'applications.title', name: 'participants.name' });
}

/** Whether another API key has, or ever had, the tenant in an application. */
export async function hasOtherKey(db: Database, { tenant_id, api_key_id }: AskedFor): Promise<boolean> {
  const other = await db('applications')
    .join('participants', 'participants.application_id', 'applications.id')
    .join('tenants', 'tenants.comparable_email', 'participants.comparable_email')
    .where('tenants.id', tenant_id)
    .whereNot('applications.api_key_id', api_key_id ?? '')
    .first('applications.id');
  return other !== undefined;
}
