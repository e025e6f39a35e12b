import { newId } from '../../core/ids.ts';
import { hashSecret, matchesHash, newClientSecret } from '../../core/secrets/secrets.ts';
import type { Config } from '../../core/settings/config.ts';
import type { Database, Transaction } from '../connection/connect.ts';
import { type ApiKeyRow, isInForce } from './api-key-states.ts';
import { findApiKeyByClientId } from './api-keys.ts';

/** A replaced client secret, accepted beside the current one until it expires. */
export interface FormerClientSecretRow {
  id: string;
  api_key_id: string;
  client_secret_hash: string;
  expires_at: string;
}

/** Matches no secret. */
const NO_HASH = '0'.repeat(64);

/** By the current secret or a former one in its overlap. A wrong one takes as long as an unknown client_id. */
export async function findApiKeyByCredentials(
  db: Database,
  clientId: string,
  clientSecret: string,
  now: Date,
): Promise<ApiKeyRow | undefined> {
  const apiKey = await findApiKeyByClientId(db, clientId);
  const isSecret =
    matchesHash(clientSecret, apiKey?.client_secret_hash ?? NO_HASH) ||
    (await isFormerSecret(db, apiKey?.id ?? '', clientSecret, now));
  return apiKey && isSecret && isInForce(apiKey, now) ? apiKey : undefined;
}

async function isFormerSecret(db: Database, apiKeyId: string, clientSecret: string, now: Date): Promise<boolean> {
  const hashes = await db('former_client_secrets')
    .where({ api_key_id: apiKeyId })
    .where('expires_at', '>', now.toISOString())
    .pluck('client_secret_hash');
  return hashes.some((hash) => matchesHash(clientSecret, hash));
}

/**
 * Rotates a key's secret. The former secret is accepted until `formerUntil`; undefined ends all former secrets at once. The caller
 * locks the row first: of two concurrent rotations, the second must keep the secret of the first.
 */
export async function replaceClientSecret(
  trx: Transaction,
  { id, client_secret_hash }: ApiKeyRow,
  { mode, now, formerUntil }: { mode: Config['mode']; now: Date; formerUntil: Date | undefined },
): Promise<string> {
  const clientSecret = newClientSecret(mode);
  const formers = trx('former_client_secrets').where({ api_key_id: id });
  await (formerUntil ? formers.where('expires_at', '<=', now.toISOString()) : formers).delete();
  if (formerUntil)
    await trx('former_client_secrets').insert({
      id: newId(),
      api_key_id: id,
      client_secret_hash,
      expires_at: formerUntil.toISOString(),
    });
  await trx('api_keys')
    .where({ id })
    .update({ client_secret_hash: hashSecret(clientSecret) });
  return clientSecret;
}
