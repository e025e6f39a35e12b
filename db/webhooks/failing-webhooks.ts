import { inForce } from '../access/api-key-states.ts';
import type { Database } from '../connection/database.ts';

/** A webhook that has answered nothing but failures. */
export interface FailingWebhook {
  id: string;
  failing_since: string;
  client_id: string;
  landlord_id: string;
}

/** Longest-failing first. Paused webhooks have a condition of their own, and those of ended keys get nothing. */
export function listFailingWebhooks(db: Database, before: string, now: Date, limit: number): Promise<FailingWebhook[]> {
  return db('webhooks')
    .join('api_keys', 'api_keys.id', 'webhooks.api_key_id')
    .where('failing_since', '<=', before)
    .whereNull('paused_at')
    .where(inForce(now))
    .orderBy('failing_since')
    .limit(limit)
    .select('webhooks.id', 'failing_since', 'client_id', 'landlord_id');
}
