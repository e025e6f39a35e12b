import { hashSecret, randomSecret } from '../../core/secrets/secrets.ts';
import { HOUR_MS, isoAfter } from '../../core/time.ts';
import {
  type ConsoleAccountRow,
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

/** Its sessions and its link end immediately. @returns false when it was already disabled */
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
  return inTransaction(db, (trx) => putNewLink(trx, account, by, now()));
}

/**
 * A new sign-in link, unless one is valid: anyone may request a link for any name, which must not end the link that its holder has.
 * @returns undefined when one is valid
 */
export function newLinkUnlessOpen(
  { db, now }: Changing,
  account: Pick<ConsoleAccountRow, 'id'>,
  by: Actor,
): Promise<SignInLink | undefined> {
  return inTransaction(db, async (trx) => {
    // The lock makes concurrent requests take turns.
    await lockAccount(trx, account.id);
    const moment = now();
    return (await hasOpenLink(trx, account.id, moment)) ? undefined : putNewLink(trx, account, by, moment);
  });
}

async function putNewLink(
  trx: Transaction,
  account: Pick<ConsoleAccountRow, 'id'>,
  by: Actor,
  moment: Date,
): Promise<SignInLink> {
  const token = randomSecret();
  const link = {
    token_hash: hashSecret(token),
    account_id: account.id,
    created_at: moment.toISOString(),
    expires_at: isoAfter(moment, LINK_MINUTES * 60_000),
  };
  await putLink(trx, link);
  await recordAudit(trx, by, 'console-account.link', account.id, moment);
  return { path: `/console/sign-in/${token}`, tokenHash: link.token_hash, expiresAt: link.expires_at };
}

/**
 * Exchanges a link for a session. @returns the session's token, which only the browser keeps; undefined when the link is not
 * valid
 */
export function signInByLink({ db, now }: Changing, linkToken: string): Promise<string | undefined> {
  return inTransaction(db, async (trx) => {
    const moment = now();
    const account = await takeLink(trx, hashSecret(linkToken), moment);
    if (!account) return undefined;
    const token = randomSecret();
    await deleteExpiredSessions(trx, moment);
    await insertSession(trx, {
      token_hash: hashSecret(token),
      account_id: account.id,
      created_at: moment.toISOString(),
      used_at: moment.toISOString(),
      expires_at: isoAfter(moment, SESSION_HOURS * HOUR_MS),
    });
    await noteSignIn(trx, account.id, moment);
    await recordAudit(trx, { kind: 'operator', id: account.name }, 'console-account.sign-in', account.id, moment);
    return token;
  });
}

export async function signOut({ db }: Pick<Runtime, 'db'>, token: string): Promise<void> {
  await deleteSession(db, hashSecret(token));
}
