import { isoDay } from '../../core/time.ts';
import { whyNotInForce } from '../../db/access/api-key-states.ts';
import {
  countKeysSince,
  createApiKey,
  findListedApiKey,
  type ListedApiKey,
  lockApiKey,
  revokeApiKey,
  setApiKeyExpiry,
} from '../../db/access/api-keys.ts';
import { replaceClientSecret } from '../../db/access/client-secrets.ts';
import { lockLandlord } from '../../db/access/landlords.ts';
import { addMemberKey } from '../../db/access/members.ts';
import { type Actor, recordAudit } from '../../db/audit/audit.ts';
import { audited } from '../../db/audit/audited.ts';
import { ALL_LANDLORDS } from '../../db/connection/queries/scope.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import type { Runtime } from '../runtime.ts';

interface Rotated {
  /** Returned only once. */
  clientSecret: string;
  apiKey: ListedApiKey;
}

/**
 * Gives an API key a new secret.
 * @param overlapMs how long the former secret is accepted beside it; 0 ends all former secrets at once
 * @returns when the key is not in force, the reason in words; undefined when there is no such key
 * @throws TooManySecrets
 */
export function rotateKey(
  { db, mode, now }: Pick<Runtime, 'db' | 'mode' | 'now'>,
  clientId: string,
  overlapMs: number,
  by: Actor,
): Promise<Rotated | string | undefined> {
  return inTransaction(db, async (trx) => {
    const found = await findListedApiKey(trx, ALL_LANDLORDS, clientId, now());
    if (!found) return undefined;
    await lockApiKey(trx, found.id);
    const moment = now();
    // Read again under the lock: the key may have been revoked, or another rotation may have replaced its secret.
    const apiKey = await findListedApiKey(trx, ALL_LANDLORDS, clientId, moment);
    if (!apiKey) return undefined;
    const keyEnd = whyNotInForce(apiKey, moment);
    if (keyEnd !== undefined) return keyEnd;
    const formerUntil = overlapMs > 0 ? new Date(moment.getTime() + overlapMs) : undefined;
    const clientSecret = await replaceClientSecret(trx, apiKey, { mode, now: moment, formerUntil });
    await recordAudit(trx, by, 'key.rotate', apiKey.id, moment);
    return { clientSecret, apiKey: (await findListedApiKey(trx, ALL_LANDLORDS, clientId, moment)) ?? apiKey };
  });
}

/** Irreversible. @returns false when it was already revoked */
export function revokeKey(
  { db, now }: Pick<Runtime, 'db' | 'now'>,
  { id, client_id }: Pick<ListedApiKey, 'id' | 'client_id'>,
  by: Actor,
): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const isRevoked = await revokeApiKey(trx, client_id, now());
    if (isRevoked) await recordAudit(trx, by, 'key.revoke', id, now());
    return isRevoked;
  });
}

/** Members create an API key while their landlord has had fewer on this day. Each key has turns and daily limits of its own. */
export const MAX_MEMBER_KEYS = 20;

/**
 * Creates an API key at a landlord's desk. Who creates a key sees it; admins see every key anyway.
 * @returns undefined when members may not create another today
 */
export function createMemberKey(
  { db, mode, now }: Pick<Runtime, 'db' | 'mode' | 'now'>,
  { landlordId, name, memberId }: { landlordId: string; name: string; memberId: string },
  by: Actor,
): Promise<Awaited<ReturnType<typeof createApiKey>> | undefined> {
  return inTransaction(db, async (trx) => {
    await lockLandlord(trx, landlordId);
    // A key that ended today has used its daily limits: another must not take its place before they begin again.
    if ((await countKeysSince(trx, landlordId, isoDay(now()))) >= MAX_MEMBER_KEYS) return undefined;
    const created = await createApiKey(trx, landlordId, name, now(), { mode });
    await addMemberKey(trx, memberId, created.apiKey.id);
    await recordAudit(trx, by, 'key.create', created.apiKey.id, now());
    return created;
  });
}

/** @param expiresAt undefined for a key that is valid until it is revoked @returns false when it had this end already */
export function expireKey(
  { db, now }: Pick<Runtime, 'db' | 'now'>,
  { id }: Pick<ListedApiKey, 'id'>,
  expiresAt: Date | undefined,
  by: Actor,
): Promise<boolean> {
  return audited(db, by, ['key.expire', id, now()], (trx) => setApiKeyExpiry(trx, id, expiresAt));
}
