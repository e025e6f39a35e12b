import type { TenantOfKey } from '../../core/rules/tenant-of-key.ts';
import { createApiKey } from '../../db/access/api-keys.ts';
import { createLandlord } from '../../db/access/landlords.ts';
import { listKeysOfTenant } from '../../db/applications/tenants.ts';
import type { Database } from '../../db/connection/database.ts';

/** A tenant as the first API key that has them in an application sees them; without one, as the oldest key, which is Alice's. */
export async function ofTheirKey(db: Database, tenantId: string, apiKeyId?: string): Promise<TenantOfKey> {
  if (apiKeyId !== undefined) return { tenant_id: tenantId, api_key_id: apiKeyId };
  const [theirs] = await listKeysOfTenant(db, tenantId);
  if (theirs) return { tenant_id: tenantId, api_key_id: theirs.id };
  const oldest = await db('api_keys').orderBy(['created_at', 'id']).first('id');
  return { tenant_id: tenantId, api_key_id: oldest?.id ?? (await addKey(db)) };
}

async function addKey(db: Database): Promise<string> {
  const landlord = await createLandlord(db, 'Casa Clara', new Date());
  return (await createApiKey(db, landlord.id, 'Alice', new Date())).apiKey.id;
}
