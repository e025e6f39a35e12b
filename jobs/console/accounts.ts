import { type ConsoleAccountRow, insertAccount, type NewAccount } from '../../db/access/console-accounts.ts';
import { setDisabled } from '../../db/access/sign-in.ts';
import { type Actor, recordAudit } from '../../db/audit/audit.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { replaceSignInLinks, type SignInLink } from '../access/sign-in.ts';
import type { Runtime } from '../runtime.ts';

type Changing = Pick<Runtime, 'db' | 'now'>;

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
    const isChanged = await setDisabled(trx, { of: 'account_id', id }, now());
    if (isChanged) await recordAudit(trx, by, 'console-account.disable', id, now());
    return isChanged;
  });
}

/** @returns false when it was not disabled */
export function enable({ db, now }: Changing, id: string, by: Actor): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const isChanged = await setDisabled(trx, { of: 'account_id', id }, null);
    if (isChanged) await recordAudit(trx, by, 'console-account.enable', id, now());
    return isChanged;
  });
}

/** A new sign-in link, which replaces the former one. */
export function newSignInLink(
  runtime: Changing,
  { id }: Pick<ConsoleAccountRow, 'id'>,
  by: Actor,
): Promise<SignInLink> {
  return replaceSignInLinks(runtime, { of: 'account_id', id }, {}, by);
}
