import { isoAfter } from '../../core/time.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { retried } from '../connection/transactions.ts';
import { type ConsoleAccountRow, findAccount } from './console-accounts.ts';

export interface ConsoleSessionRow {
  token_hash: string;
  account_id: string;
  /** Names the session in the operator's own list; null, like the browser, when the previous version opened it. */
  id: string | null;
  /** What the browser calls itself, so that the operator recognizes it. */
  browser: string | null;
  /** When the operator last proved who they are. */
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
    .where('console_sessions.expires_at', '>', now.toISOString())
    .where('console_sessions.used_at', '>', isoAfter(now, -IDLE_MS))
    .whereNull('console_accounts.disabled_at');
}

/** @returns the sessions among these that last */
export async function lastingSessions(db: Database, tokenHashes: readonly string[], now: Date): Promise<Set<string>> {
  return new Set<string>(await lasting(db, now).whereIn('token_hash', tokenHashes).pluck('token_hash'));
}

/** An operator who is signed in. */
export interface ConsoleSession {
  account: ConsoleAccountRow;
  session: ConsoleSessionRow;
}

/**
 * The session of a browser, if it lasts, with its account.
 * @param isUse false for requests that a page sends without its reader: they must not keep the session alive
 */
export async function findSession(
  db: Database,
  tokenHash: string,
  now: Date,
  isUse = true,
): Promise<ConsoleSession | undefined> {
  const session: ConsoleSessionRow | undefined = await lasting(db, now)
    .where('token_hash', tokenHash)
    .first('console_sessions.*');
  const account = session && (await findAccount(db, session.account_id));
  if (!account) return undefined;
  if (isUse && session.used_at <= isoAfter(now, -NOTE_EVERY_MS))
    await retried(db, () =>
      db('console_sessions').where({ token_hash: tokenHash }).update({ used_at: now.toISOString() }),
    );
  return { account, session };
}

/** The newest first. */
export function listSessions(db: Database, accountId: string, now: Date, limit: number): Promise<ConsoleSessionRow[]> {
  return lasting(db, now)
    .where({ account_id: accountId })
    .orderBy('console_sessions.created_at', 'desc')
    .limit(limit)
    .select('console_sessions.*');
}

/** @returns false when there was none */
export async function deleteSession(
  db: Database,
  session: { token_hash: string } | { id: string; account_id: string },
): Promise<boolean> {
  return (await retried(db, () => db('console_sessions').where(session).delete())) === 1;
}

/** All but the one with the id. @returns false when there were none */
export async function deleteOtherSessions(db: Database, accountId: string, id: string): Promise<boolean> {
  const others = () => db('console_sessions').where({ account_id: accountId }).whereRaw('id is distinct from ?', [id]);
  return (await retried(db, () => others().delete())) > 0;
}

export async function deleteExpiredSessions(trx: Transaction, now: Date): Promise<void> {
  await trx('console_sessions').where('expires_at', '<=', now.toISOString()).delete();
}
