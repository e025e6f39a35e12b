import { isoAfter } from '../../core/time.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { retried } from '../connection/transactions.ts';
import type { ConsoleAccountRow } from './console-accounts.ts';

export interface ConsoleSessionRow {
  token_hash: string;
  account_id: string;
  created_at: string;
  /** Updated at most once a minute. */
  used_at: string;
  expires_at: string;
}

/** A session ends after this time without use. */
export const IDLE_MS = 30 * 60_000;
/** Bounds the writes. */
const NOTE_EVERY_MS = 60_000;

export async function insertSession(trx: Transaction, session: ConsoleSessionRow): Promise<void> {
  await trx('console_sessions').insert(session);
}

/** Sessions that have neither expired nor been idle for too long, of accounts that are not disabled. */
function lasting(db: Database, now: Date) {
  return db('console_sessions')
    .join('console_accounts', 'console_accounts.id', 'console_sessions.account_id')
    .where('expires_at', '>', now.toISOString())
    .where('used_at', '>', isoAfter(now, -IDLE_MS))
    .whereNull('disabled_at');
}

/** @returns the sessions among these that last */
export async function lastingSessions(db: Database, tokenHashes: readonly string[], now: Date): Promise<Set<string>> {
  return new Set<string>(await lasting(db, now).whereIn('token_hash', tokenHashes).pluck('token_hash'));
}

/**
 * The account of a session that lasts.
 * @param isUse false for requests that a page sends without its reader: they must not keep the session alive
 */
export async function findSession(
  db: Database,
  tokenHash: string,
  now: Date,
  isUse = true,
): Promise<ConsoleAccountRow | undefined> {
  const found: (ConsoleAccountRow & { used_at: string }) | undefined = await lasting(db, now)
    .where('token_hash', tokenHash)
    .first('console_accounts.*', 'used_at');
  if (!found) return undefined;
  const { used_at, ...account } = found;
  if (isUse && used_at <= isoAfter(now, -NOTE_EVERY_MS))
    await retried(db, () =>
      db('console_sessions').where({ token_hash: tokenHash }).update({ used_at: now.toISOString() }),
    );
  return account;
}

/** @returns false when there was none */
export async function deleteSession(db: Database, tokenHash: string): Promise<boolean> {
  return (await retried(db, () => db('console_sessions').where({ token_hash: tokenHash }).delete())) === 1;
}

export async function deleteExpiredSessions(trx: Transaction, now: Date): Promise<void> {
  await trx('console_sessions').where('expires_at', '<=', now.toISOString()).delete();
}
