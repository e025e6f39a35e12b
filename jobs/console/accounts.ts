import { newId } from '../../core/ids.ts';
import { hashSecret, randomSecret } from '../../core/secrets/secrets.ts';
import { HOUR_MS, isoAfter } from '../../core/time.ts';
import {
  type ConsoleAccountRow,
  type ConsoleLinkRow,
  disableAccount,
  enableAccount,
  hasOpenLink,
  insertAccount,
  lockAccount,
  type NewAccount,
  noteSignIn,
  putLink,
  takeLink,
} from '../../db/access/console-accounts.ts';
import { deleteExpiredSessions, deleteSession, insertSession } from '../../db/access/console-sessions.ts';
import { type Actor, recordAudit } from '../../db/audit/audit.ts';
import type { Transaction } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import type { Runtime } from '../runtime.ts';

type Changing = Pick<Runtime, 'db' | 'now'>;

/** How long a sign-in link is valid. */
export const LINK_MINUTES = 10;
/** A session ends after this time, even when it is in use. */
const SESSION_HOURS = 12;

/** How the audit log refers to operators. */
export const ACCOUNT_NAME = /^[a-z0-9][a-z0-9._-]{0,31}$/;

/** @returns undefined when the name is taken */
export function createAccount({ db, now }: Changing, account: NewAccount, by: Actor) {
  return inTransaction(db, async (trx) => {
    const created = await insertAccount(trx, account, now());
    if (created) await recordAudit(trx, by, 'console-account.create', created.id, now());
    return created;
  });
}

/** Its sessions and its link end immediately, and its passkeys are removed. @returns false when it was already disabled */
export function disable({ db, now }: Changing, id: string, by: Actor): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const isChanged = await disableAccount(trx, id, now());
    if (isChanged) await recordAudit(trx, by, 'console-account.disable', id, now());
    return isChanged;
  });
}

/**
 * @returns false when it was not disabled
 */
export function enable({ db, now }: Changing, id: string, by: Actor): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const isChanged = await enableAccount(trx, id);
    if (isChanged) await recordAudit(trx, by, 'console-account.enable', id, now());
    return isChanged;
  });
}

interface SignInLink {
  /** Relative to the root of the console. Contains the only copy of its token. */
  path: string;
  tokenHash: string;
  expiresAt: string;
}

/** A new sign-in link, which replaces the former one. */
export async function newSignInLink(
  { db, now }: Changing,
  account: Pick<ConsoleAccountRow, 'id'>,
  by: Actor,
): Promise<SignInLink> {
  return inTransaction(db, (trx) => putNewLink(trx, account, { opens: null }, by, now()));
}

/**
 * A new sign-in link, unless one is valid: anyone may request a link for any name, which must not end the link that its holder has.
 * @returns undefined when one is valid
 */
export function newLinkUnlessOpen(
  { db, now }: Changing,
  account: Pick<ConsoleAccountRow, 'id'>,
  { opens }: Pick<ConsoleLinkRow, 'opens'>,
  by: Actor,
): Promise<SignInLink | undefined> {
  return inTransaction(db, async (trx) => {
    // The lock makes concurrent requests take turns.
    await lockAccount(trx, account.id);
    const moment = now();
    return (await hasOpenLink(trx, account.id, moment)) ? undefined : putNewLink(trx, account, { opens }, by, moment);
  });
}

async function putNewLink(
  trx: Transaction,
  account: Pick<ConsoleAccountRow, 'id'>,
  { opens }: Pick<ConsoleLinkRow, 'opens'>,
  by: Actor,
  moment: Date,
): Promise<SignInLink> {
  const token = randomSecret();
  const link = {
    token_hash: hashSecret(token),
    account_id: account.id,
    opens,
    created_at: moment.toISOString(),
    expires_at: isoAfter(moment, LINK_MINUTES * 60_000),
  };
  await putLink(trx, link);
  await recordAudit(trx, by, 'console-account.link', account.id, moment);
  return { path: `/console/sign-in/${token}`, tokenHash: link.token_hash, expiresAt: link.expires_at };
}

/**
 * Exchanges a link for a session. @param browser what the browser calls itself
 * @returns the session's token, which only the browser keeps, and the page to open; undefined when the link is not valid
 */
export function signInByLink(
  { db, now }: Changing,
  linkToken: string,
  browser: string,
): Promise<{ token: string; opens: string | null } | undefined> {
  return inTransaction(db, async (trx) => {
    const moment = now();
    const taken = await takeLink(trx, hashSecret(linkToken), moment);
    if (!taken) return undefined;
    const { account, opens } = taken;
    return { token: await openSession(trx, account, browser, moment), opens };
  });
}

/** Opens a session for an operator who proved who they are. @returns its token, which only the browser keeps */
export async function openSession(
  trx: Transaction,
  { id, name }: Pick<ConsoleAccountRow, 'id' | 'name'>,
  browser: string,
  now: Date,
): Promise<string> {
  const token = randomSecret();
  await deleteExpiredSessions(trx, now);
  await insertSession(trx, {
    token_hash: hashSecret(token),
    account_id: id,
    id: newId(),
    browser,
    created_at: now.toISOString(),
    used_at: now.toISOString(),
    expires_at: isoAfter(now, SESSION_HOURS * HOUR_MS),
  });
  await noteSignIn(trx, id, now);
  await recordAudit(trx, { kind: 'operator', id: name }, 'console-account.sign-in', id, now);
  return token;
}

export async function signOut({ db }: Pick<Runtime, 'db'>, token: string): Promise<void> {
  await deleteSession(db, { token_hash: hashSecret(token) });
}
