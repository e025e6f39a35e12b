import type { Knex } from 'knex';
import { newId } from '../../core/ids.ts';
import { hashSecret, newClientSecret } from '../../core/secrets/secrets.ts';
import type { Config } from '../../core/settings/config.ts';
import { type Database, dialectOf, type Transaction } from '../connection/database.ts';
import { prepared } from '../connection/prepared.ts';
import { newestFirst } from '../connection/queries/newest-first.ts';
import { inScope, type Scope } from '../connection/queries/scope.ts';
import type { ShortTransaction } from '../connection/short-transaction.ts';
import { retried } from '../connection/transactions.ts';
import { type ApiKeyRow, type ApiKeyState, inState, isInForce, type KeyLife } from './api-key-states.ts';

/** The only place that returns the client secret. */
export async function createApiKey(
  db: Database,
  landlordId: string,
  name: string,
  now: Date,
  { mode = 'sandbox', expiresAt }: { mode?: Config['mode']; expiresAt?: Date | undefined } = {},
): Promise<{ apiKey: ApiKeyRow; clientSecret: string }> {
  const clientSecret = newClientSecret(mode);
  const apiKey: ApiKeyRow = {
    id: newId(),
    client_id: newId(),
    client_secret_hash: hashSecret(clientSecret),
    landlord_id: landlordId,
    name,
    created_at: now.toISOString(),
    revoked_at: null,
    last_used_at: null,
    expires_at: expiresAt?.toISOString() ?? null,
  };
  await retried(db, () => db('api_keys').insert(apiKey));
  return { apiKey, clientSecret };
}

type KeyInForce = Pick<ApiKeyRow, 'id' | 'landlord_id' | 'revoked_at' | 'expires_at'> & {
  /** 1 when the landlord wants leads to get a mail; null without settings. */
  mails_lead: 0 | 1 | null;
};

const apiKeyById = prepared<KeyInForce>(
  `select id, landlord_id, revoked_at, expires_at, (
      select mails_lead from landlord_settings where landlord_settings.landlord_id = api_keys.landlord_id
    ) as mails_lead
    from api_keys where id = ?`,
);

/** An API key in force. */
export async function findApiKey(db: Database, id: string, now: Date): Promise<KeyInForce | undefined> {
  const [apiKey] = await apiKeyById(db, id);
  return apiKey && isInForce(apiKey, now) ? apiKey : undefined;
}

/** Whether it is in force or not. */
export function findApiKeyByClientId(db: Database, clientId: string): Promise<ApiKeyRow | undefined> {
  return db('api_keys').where({ client_id: clientId }).first();
}

export function findKeyLife(db: Database, id: string): Promise<KeyLife | undefined> {
  return db('api_keys').where({ id }).first('revoked_at', 'expires_at');
}

const lockedApiKey = prepared('select id from api_keys where id = ? for no key update');

/** Serializes creations under the key until the transaction ends. SQLite's write transactions exclude each other anyway. */
export async function lockApiKey(trx: Transaction | ShortTransaction, id: string): Promise<void> {
  if (dialectOf(trx) === 'postgres') await lockedApiKey(trx, id);
}

/** Records the last use. @param minute the time truncated to the minute, which bounds the writes */
export async function noteApiKeyUse(db: Database, id: string, minute: Date): Promise<void> {
  const last_used_at = minute.toISOString();
  await retried(db, () =>
    db('api_keys')
      .where({ id })
      .where((rows) => rows.whereNull('last_used_at').orWhere('last_used_at', '<', last_used_at))
      .update({ last_used_at }),
  );
}

/** Irreversible. @returns false when the key is unknown or already revoked */
export async function revokeApiKey(db: Database, clientId: string, now: Date): Promise<boolean> {
  const revoked = await retried(db, () =>
    db('api_keys')
      .where({ client_id: clientId })
      .whereNull('revoked_at')
      .update({ revoked_at: now.toISOString() })
      .returning('id'),
  );
  for (const { id } of revoked) await retried(db, () => db('former_client_secrets').where({ api_key_id: id }).delete());
  return revoked.length === 1;
}

/** @param expiresAt undefined for never @returns false when nothing changes, or the key was revoked */
export async function setApiKeyExpiry(trx: Transaction, id: string, expiresAt: Date | undefined): Promise<boolean> {
  const expires_at = expiresAt?.toISOString() ?? null;
  const others = (rows: Knex.QueryBuilder) => {
    if (expires_at === null) return rows.whereNotNull('expires_at');
    return rows.whereNull('expires_at').orWhereNot({ expires_at });
  };
  return (await trx('api_keys').where({ id }).whereNull('revoked_at').where(others).update({ expires_at })) === 1;
}

export type ListedApiKey = ApiKeyRow & {
  landlord_name: string;
  /** When the last former secret expires. */
  former_secrets_until: string | null;
};

export function findKeysOfLandlord(db: Database, landlordId: string): Promise<string[]> {
  return db('api_keys').where({ landlord_id: landlordId }).pluck('id');
}

/** The id of the landlord to whom a key belongs. */
export async function findLandlordOfKey(db: Database, id: string): Promise<string | undefined> {
  return (await db('api_keys').where({ id }).first('landlord_id'))?.landlord_id;
}

/** How many keys of a landlord were in force at some time since a moment. */
export async function countKeysSince(trx: Transaction, landlordId: string, moment: string): Promise<number> {
  const keys = trx('api_keys').where({ landlord_id: landlordId });
  for (const end of ['revoked_at', 'expires_at'] as const)
    keys.where((rows) => rows.whereNull(end).orWhere(end, '>', moment));
  return (await keys.pluck('id')).length;
}

/** The ids of all keys of a key's landlord. */
export function findKeysBeside(db: Database, id: string): Promise<string[]> {
  return db('api_keys').whereIn('landlord_id', db('api_keys').where({ id }).select('landlord_id')).pluck('id');
}

/** Newest first; within one landlord, those in force before all others. */
export function listApiKeys(
  db: Database,
  scope: Scope,
  { landlordId, state }: { landlordId?: string | undefined; state?: ApiKeyState | undefined },
  limit: number,
  now: Date,
): Promise<ListedApiKey[]> {
  const chosen = keysWithLandlords(db, now).where(inScope(scope, 'api_keys.id')).limit(limit);
  if (scope.of === 'one landlord' || landlordId !== undefined)
    chosen.orderByRaw('case when revoked_at is null and (expires_at is null or expires_at > ?) then 0 else 1 end', [
      now.toISOString(),
    ]);
  chosen.orderBy(newestFirst('api_keys'));
  if (state) chosen.where(inState(state, now));
  return landlordId === undefined ? chosen : chosen.where({ landlord_id: landlordId });
}

export function findListedApiKey(
  db: Database,
  scope: Scope,
  clientId: string,
  now: Date,
): Promise<ListedApiKey | undefined> {
  return keysWithLandlords(db, now).where({ client_id: clientId }).where(inScope(scope, 'api_keys.id')).first();
}

function keysWithLandlords(db: Database, now: Date) {
  const formerSecretsUntil = db('former_client_secrets')
    .where('api_key_id', db.ref('api_keys.id'))
    .where('expires_at', '>', now.toISOString())
    .max('expires_at')
    .as('former_secrets_until');
  return db('api_keys')
    .join('landlords', 'landlords.id', 'api_keys.landlord_id')
    .select('api_keys.*', 'landlords.name as landlord_name', formerSecretsUntil);
}

/** Keys in force that expire within a time, first to expire first. */
export function listExpiringKeys(
  db: Database,
  { from, to }: { from: string; to: string },
  limit: number,
): Promise<Pick<ApiKeyRow, 'client_id' | 'expires_at'>[]> {
  return db('api_keys')
    .whereBetween('expires_at', [from, to])
    .whereNull('revoked_at')
    .orderBy('expires_at')
    .limit(limit)
    .select('client_id', 'expires_at');
}
