import type { Knex } from 'knex';

/** An API key is in force until it is revoked, which is final, or expires. */
export type KeyLife = Pick<ApiKeyRow, 'revoked_at' | 'expires_at'>;

export const apiKeyStates = ['active', 'expiring', 'expired', 'revoked'] as const;
export type ApiKeyState = (typeof apiKeyStates)[number];

export function apiKeyState({ revoked_at, expires_at }: KeyLife, now: Date): ApiKeyState {
  if (revoked_at !== null) return 'revoked';
  if (expires_at === null) return 'active';
  return expires_at > now.toISOString() ? 'expiring' : 'expired';
}

/** Why a key is not in force, in words for operators; undefined while it is. */
export function whyNotInForce(key: KeyLife, now: Date): string | undefined {
  const state = apiKeyState(key, now);
  if (state === 'revoked') return 'the API key was revoked';
  return state === 'expired' ? 'the API key has expired' : undefined;
}

export function isInForce(key: KeyLife, now: Date): boolean {
  return whyNotInForce(key, now) === undefined;
}

type Condition = (rows: Knex.QueryBuilder) => void;

/** The same as a condition on queries that join `api_keys`. */
export function inForce(now: Date): Condition {
  return (rows) => rows.where(inState('active', now)).orWhere(inState('expiring', now));
}

export function inState(state: ApiKeyState, now: Date): Condition {
  return (rows) => {
    if (state === 'revoked') return rows.whereNotNull('api_keys.revoked_at');
    rows.whereNull('api_keys.revoked_at');
    if (state === 'active') return rows.whereNull('api_keys.expires_at');
    return rows.where('api_keys.expires_at', state === 'expiring' ? '>' : '<=', now.toISOString());
  };
}

export interface ApiKeyRow {
  id: string;
  client_id: string;
  client_secret_hash: string;
  landlord_id: string;
  name: string;
  created_at: string;
  revoked_at: string | null;
  /** Truncated to the minute. */
  last_used_at: string | null;
  /** Refused from then on. */
  expires_at: string | null;
}
