import { newId } from '../../core/ids.ts';
import { hashSecret, randomSecret } from '../../core/secrets/secrets.ts';
import { HOUR_MS, isoAfter, MINUTE_MS } from '../../core/time.ts';
import { findAccount } from '../../db/access/console-accounts.ts';
import {
  countOpenLinks,
  deleteExpiredSessions,
  deleteLinks,
  deleteSession,
  type Holder,
  type Holders,
  insertLink,
  insertSession,
  lockHolder,
  noteSignIn,
  takeLink,
} from '../../db/access/sign-in.ts';
import { type Actor, recordAudit } from '../../db/audit/audit.ts';
import type { Transaction } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import type { Runtime } from '../runtime.ts';

type Changing = Pick<Runtime, 'db' | 'now'>;

/** How long a sign-in link is valid. */
export const LINK_MINUTES = 10;
/** A session ends after this time, even when it is in use. */
const SESSION_HOURS = 12;

interface SignInOffice {
  path: '/desk' | '/console';
  /** The kind of its holders in the audit log. */
  kind: 'member' | 'console-account';
  /**
   * How many links of a holder may be open. Anyone may ask for a link to any address or name: that must not end the link that its holder
   * has, and at the desk not keep the holder from asking for another.
   */
  maxOpenLinks: number;
  /** @returns undefined when the holder is gone */
  actorOf(trx: Transaction, id: string): Promise<Actor | undefined>;
}

const OFFICES: Readonly<Record<Holders, SignInOffice>> = {
  member_id: {
    path: '/desk',
    kind: 'member',
    maxOpenLinks: 3,
    actorOf: async (_trx, id) => ({ kind: 'member', id }),
  },
  account_id: {
    path: '/console',
    kind: 'console-account',
    maxOpenLinks: 1,
    actorOf: async (trx, id) => {
      const account = await findAccount(trx, id);
      return account && { kind: 'operator', id: account.name };
    },
  },
};

export interface SignInLink {
  /** Relative to the root of the office. Contains the only copy of its token. */
  path: string;
  tokenHash: string;
  expiresAt: string;
}

export interface NewLink {
  minutes?: number;
  /** Below the path of the office; null for its first page. */
  opens?: string | null;
}

/** A new sign-in link. @returns undefined when as many are valid as may be */
export function addSignInLink(
  { db, now }: Changing,
  holder: Holder,
  link: NewLink,
  by: Actor,
): Promise<SignInLink | undefined> {
  return inTransaction(db, (trx) => addSignInLinkIn(trx, holder, link, by, now()));
}

/** The same in a transaction, which keeps the lock on the holder. */
export async function addSignInLinkIn(
  trx: Transaction,
  holder: Holder,
  link: NewLink,
  by: Actor,
  now: Date,
): Promise<SignInLink | undefined> {
  // The lock makes concurrent requests take turns.
  await lockHolder(trx, holder);
  const isFull = (await countOpenLinks(trx, holder, now)) >= OFFICES[holder.of].maxOpenLinks;
  return isFull ? undefined : putLink(trx, holder, link, by, now);
}

/** A new sign-in link, which replaces the former ones. */
export function replaceSignInLinks(
  { db, now }: Changing,
  holder: Holder,
  link: NewLink,
  by: Actor,
): Promise<SignInLink> {
  return inTransaction(db, async (trx) => {
    await lockHolder(trx, holder);
    await deleteLinks(trx, holder);
    return putLink(trx, holder, link, by, now());
  });
}

async function putLink(
  trx: Transaction,
  holder: Holder,
  { minutes = LINK_MINUTES, opens = null }: NewLink,
  by: Actor,
  now: Date,
): Promise<SignInLink> {
  const { path, kind } = OFFICES[holder.of];
  const token = randomSecret();
  const tokenHash = hashSecret(token);
  const expiresAt = isoAfter(now, minutes * MINUTE_MS);
  const link = { token_hash: tokenHash, opens, created_at: now.toISOString(), expires_at: expiresAt };
  await insertLink(trx, holder, link);
  await recordAudit(trx, by, `${kind}.link`, holder.id, now);
  return { path: `${path}/sign-in/${token}`, tokenHash, expiresAt };
}

/**
 * Exchanges a link for a session. @param browser what the browser calls itself
 * @returns the session's token, which only the browser keeps, and the page to open; undefined when the link is not valid
 */
export function signInByLink(
  { db, now }: Changing,
  of: Holders,
  linkToken: string,
  browser: string,
): Promise<{ token: string; opens: string | null } | undefined> {
  return inTransaction(db, async (trx) => {
    const taken = await takeLink(trx, of, hashSecret(linkToken), now());
    const entered = taken && (await openSession(trx, taken.holder, browser, now()));
    return entered && { token: entered.token, opens: taken.opens };
  });
}

/**
 * Opens a session for a holder who proved who they are.
 * @returns its token, which only the browser keeps; undefined when the holder is gone
 */
export async function openSession(
  trx: Transaction,
  holder: Holder,
  browser: string,
  now: Date,
): Promise<{ token: string; actor: Actor } | undefined> {
  const { kind, actorOf } = OFFICES[holder.of];
  const actor = await actorOf(trx, holder.id);
  if (!actor) return undefined;
  const token = randomSecret();
  await deleteExpiredSessions(trx, holder.of, now);
  await insertSession(trx, holder, {
    token_hash: hashSecret(token),
    id: newId(),
    browser,
    created_at: now.toISOString(),
    used_at: now.toISOString(),
    expires_at: isoAfter(now, SESSION_HOURS * HOUR_MS),
  });
  await noteSignIn(trx, holder, now);
  await recordAudit(trx, actor, `${kind}.sign-in`, holder.id, now);
  return { token, actor };
}

export async function signOut({ db }: Pick<Runtime, 'db'>, of: Holders, token: string): Promise<void> {
  await deleteSession(db, of, hashSecret(token));
}
