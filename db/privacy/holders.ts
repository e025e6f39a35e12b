import type { Database } from '../connection/connect.ts';

/** Who else holds something of a tenant: what was told cannot be taken back. */
export interface Holders {
  /** The ids of landlords whose webhooks took an event. */
  landlords: string[];
  /** The providers who verified them. */
  providers: string[];
}

export async function findHolders(db: Database, tenantId: string | undefined): Promise<Holders> {
  if (tenantId === undefined) return { landlords: [], providers: [] };
  const landlords = await db('deliveries')
    .join('events', 'events.id', 'deliveries.event_id')
    .join('webhooks', 'webhooks.id', 'deliveries.webhook_id')
    .join('api_keys', 'api_keys.id', 'webhooks.api_key_id')
    .where('events.tenant_id', tenantId)
    .where('deliveries.attempts', '>', 0)
    .distinct('api_keys.landlord_id')
    .orderBy('api_keys.landlord_id');
  const verifiedBy = (table: 'kyc_verifications' | 'eid_flows') =>
    db(table).where({ tenant_id: tenantId }).whereNot({ provider: 'sandbox' }).distinct('provider').pluck('provider');
  const providers = [...(await verifiedBy('kyc_verifications')), ...(await verifiedBy('eid_flows'))];
  return { landlords: landlords.map(({ landlord_id }) => landlord_id), providers: [...new Set(providers)].sort() };
}
