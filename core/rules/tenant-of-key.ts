/** Identifies a tenant's data under one API key. No other key sees any of it, so every finder takes both. */
export interface TenantOfKey {
  tenant_id: string;
  api_key_id: string;
}

/** Undefined for an older row whose key is unknown (migration 0022): it belongs to no key. */
export function tenantOfKey({
  tenant_id,
  api_key_id,
}: {
  tenant_id: string;
  api_key_id: string | null;
}): TenantOfKey | undefined {
  return api_key_id === null ? undefined : { tenant_id, api_key_id };
}
