import { newId } from '../core/ids.ts';
import { hashSecret, randomSecret } from '../core/secrets.ts';
import type { Database, Transaction } from './connect.ts';
import type { ApiKeyRow, LandlordRow } from './rows.ts';

export async function createLandlord(db: Database, name: string, now: Date): Promise<LandlordRow> {
  const landlord = { id: newId(), name, created_at: now.toISOString() };
  await db('landlords').insert(landlord);
  return landlord;
}

/** The client secret is returned here and nowhere else. */
export async function createApiKey(
  db: Database,
  landlordId: string,
  name: string,
  now: Date,
): Promise<{ apiKey: ApiKeyRow; clientSecret: string }> {
  const clientSecret = randomSecret();
  const apiKey: ApiKeyRow = {
    id: newId(),
    client_id: newId(),
    client_secret_hash: hashSecret(clientSecret),
    landlord_id: landlordId,
    name,
    created_at: now.toISOString(),
    revoked_at: null,
    last_used_at: null,
    expires_at: null,
  };
  await db('api_keys').insert(apiKey);
  return { apiKey, clientSecret };
}

export function findApiKeyByClientId(db: Database, clientId: string): Promise<ApiKeyRow | undefined> {
  return db('api_keys').where({ client_id: clientId }).whereNull('revoked_at').first();
}

export function findApiKey(db: Database, id: string): Promise<ApiKeyRow | undefined> {
  return db('api_keys').where({ id }).whereNull('revoked_at').first();
}

/** Makes the key's creators take turns until the transaction ends. */
export async function lockApiKey(trx: Transaction, id: string): Promise<void> {
  await trx('api_keys').where({ id }).forNoKeyUpdate().first('id');
}

/** @returns false when there is no such key or it was revoked before */
export async function revokeApiKey(db: Database, clientId: string, now: Date): Promise<boolean> {
  const changed = await db('api_keys')
    .where({ client_id: clientId })
    .whereNull('revoked_at')
    .update({ revoked_at: now.toISOString() });
  return changed === 1;
}
