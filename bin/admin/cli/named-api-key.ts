import { apiKeyState } from '../../../db/access/api-key-states.ts';
import { findListedApiKey, type ListedApiKey } from '../../../db/access/api-keys.ts';
import type { Database } from '../../../db/connection/connect.ts';
import { OperatorError } from './faults.ts';
import { typed } from './run-command.ts';

/** @throws OperatorError when there is no such API key */
export async function namedApiKey(db: Database, clientId: string, now: Date): Promise<ListedApiKey> {
  const apiKey = await findListedApiKey(db, clientId, now);
  if (!apiKey)
    throw new OperatorError(`no API key has the client_id "${clientId}"; list them with ${typed('key list')}`);
  return apiKey;
}

/** What every output says of an API key. `key_id` is what the audit log calls it. */
export function apiKeyFields(apiKey: ListedApiKey, now: Date) {
  const status = apiKeyState(apiKey, now);
  return {
    client_id: apiKey.client_id,
    key_id: apiKey.id,
    name: apiKey.name,
    landlord_id: apiKey.landlord_id,
    landlord_name: apiKey.landlord_name,
    status,
    created_at: apiKey.created_at,
    last_used_at: apiKey.last_used_at,
    expires_at: apiKey.expires_at,
    revoked_at: apiKey.revoked_at,
    former_secrets_until: status === 'active' || status === 'expiring' ? apiKey.former_secrets_until : null,
  };
}
