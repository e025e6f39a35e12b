import { newId } from '../../core/ids.ts';
import { expectRoomForFormer } from '../../core/secrets/former-secrets.ts';
import { hashSecret, matchesHash, newClientSecret } from '../../core/secrets/secrets.ts';
import type { Config } from '../../core/settings/config.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { gathered } from '../connection/gathered.ts';
import { type ApiKeyRow, isInForce } from './api-key-states.ts';

/** A replaced client secret, accepted beside the current one until it expires. */
export interface FormerClientSecretRow {
  id: string;
  api_key_id: string;
  client_secret_hash: string;
  expires_at: string;
}

/** Matches no secret. */
const NO_HASH = '0'.repeat(64);

type KeyOfClient = Pick<ApiKeyRow, 'id' | 'landlord_id' | 'client_secret_hash' | 'revoked_at' | 'expires_at'>;

/** With the former secrets, as `<hash> <end>` separated by commas. */
const keyOfClient = gathered<KeyOfClient & { formers: string | null }>(`
  select client_id as asked_for, id, landlord_id, client_secret_hash, revoked_at, expires_at,
    (select string_agg(client_secret_hash || ' ' || expires_at, ',') from former_client_secrets
     where api_key_id = api_keys.id) as formers
  from api_keys where client_id`);

/** Accepts the current secret, or a former one within its overlap. A wrong secret takes as long as an unknown client_id. */
export async function findApiKeyByCredentials(
  db: Database,
  clientId: string,
  clientSecret: string,
  now: Date,
): Promise<KeyOfClient | undefined> {
  const [apiKey] = await keyOfClient(db, clientId);
  const isSecret =
    matchesHash(clientSecret, apiKey?.client_secret_hash ?? NO_HASH) ||
    hashesInOverlap(apiKey?.formers, now).some((former) => matchesHash(clientSecret, former));
  return apiKey && isSecret && isInForce(apiKey, now) ? apiKey : undefined;
}

function hashesInOverlap(formers: string | null | undefined, now: Date): string[] {
  const all = formers?.split(',').map((former) => former.split(' ')) ?? [];
  return all.flatMap(([former, end]) => (former && end && end > now.toISOString() ? [former] : []));
}

/**
 * Rotates a key's secret. The former secret is accepted until `formerUntil`; undefined ends all former secrets at once. The caller locks
 * the row first, so that the second of two concurrent rotations keeps the secret of the first.
 * @throws TooManySecrets
 */
export async function replaceClientSecret(
  trx: Transaction,
  { id, client_secret_hash }: ApiKeyRow,
  { mode, now, formerUntil }: { mode: Config['mode']; now: Date; formerUntil: Date | undefined },
): Promise<string> {
  const clientSecret = newClientSecret(mode);
  const formers = () => trx('former_client_secrets').where({ api_key_id: id });
  await (formerUntil ? formers().where('expires_at', '<=', now.toISOString()) : formers()).delete();
  if (formerUntil) {
    expectRoomForFormer(await formers().pluck('expires_at'));
    await trx('former_client_secrets').insert({
      id: newId(),
      api_key_id: id,
      client_secret_hash,
      expires_at: formerUntil.toISOString(),
    });
  }
  await trx('api_keys')
    .where({ id })
    .update({ client_secret_hash: hashSecret(clientSecret) });
  return clientSecret;
}
