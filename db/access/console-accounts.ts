import { newId } from '../../core/ids.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { retried } from '../connection/transactions.ts';
import { deletePasskeys } from './passkeys.ts';

/** In ascending order: each role includes the permissions of the roles before it. */
export const consoleRoles = ['viewer', 'operator'] as const;
export type ConsoleRole = (typeof consoleRoles)[number];

export interface ConsoleAccountRow {
  id: string;
  /** The operator's name in the audit log. */
  name: string;
  mail_address: string | null;
  role: ConsoleRole;
  created_at: string;
  disabled_at: string | null;
  last_signed_in_at: string | null;
}

/** A single-use link that signs the holder of an account in. */
export interface ConsoleLinkRow {
  token_hash: string;
  account_id: string;
  /** Below `/console/`; null for its first page. */
  opens: string | null;
  created_at: string;
  expires_at: string;
}

export type NewAccount = Pick<ConsoleAccountRow, 'name' | 'mail_address' | 'role'>;

/** @returns undefined when the name is taken */
export async function insertAccount(trx: Transaction, account: NewAccount, now: Date) {
  const row: ConsoleAccountRow = {
    id: newId(),
    ...account,
    created_at: now.toISOString(),
    disabled_at: null,
    last_signed_in_at: null,
  };
  const inserted = await trx('console_accounts').insert(row).onConflict('name').ignore().returning('id');
  return inserted.length === 1 ? row : undefined;
}

/** Serializes changes of an account until the transaction ends. */
export async function lockAccount(trx: Transaction, id: string): Promise<void> {
  await trx('console_accounts').where({ id }).forNoKeyUpdate().first('id');
}

/** By name. */
export function listAccounts(db: Database, limit: number): Promise<ConsoleAccountRow[]> {
  return db('console_accounts').orderBy('name').limit(limit);
}

export function findAccountByName(db: Database, name: string): Promise<ConsoleAccountRow | undefined> {
  return db('console_accounts').where({ name }).first();
}

export function findAccount(db: Database, id: string): Promise<ConsoleAccountRow | undefined> {
  return db('console_accounts').where({ id }).first();
}

/** Also ends its sessions and its link, and removes its passkeys. @returns false when it was disabled before */
export async function disableAccount(trx: Transaction, id: string, now: Date): Promise<boolean> {
  const disabled = await trx('console_accounts')
    .where({ id })
    .whereNull('disabled_at')
    .update({ disabled_at: now.toISOString() });
  await trx('console_links').where({ account_id: id }).delete();
  await trx('console_sessions').where({ account_id: id }).delete();
  await deletePasskeys(trx, { of: 'account_id', id });
  return disabled === 1;
}

/**
 * @returns false when it was not disabled
 */
export async function enableAccount(trx: Transaction, id: string): Promise<boolean> {
  return (await trx('console_accounts').where({ id }).whereNotNull('disabled_at').update({ disabled_at: null })) === 1;
}

/** Replaces the former link. */
export async function putLink(trx: Transaction, link: ConsoleLinkRow): Promise<void> {
  await trx('console_links').insert(link).onConflict('account_id').merge();
}

/** Whether a link is still valid. */
export function isLinkOpen(db: Database, tokenHash: string, now: Date): Promise<boolean> {
  return isOneOpen(db, { token_hash: tokenHash }, now);
}

/** Whether an account has a link that is still valid. */
export function hasOpenLink(db: Database, accountId: string, now: Date): Promise<boolean> {
  return isOneOpen(db, { account_id: accountId }, now);
}

async function isOneOpen(db: Database, link: Partial<ConsoleLinkRow>, now: Date): Promise<boolean> {
  const open = db('console_links').where(link).where('expires_at', '>', now.toISOString());
  return (await open.first('account_id')) !== undefined;
}

export async function deleteLink(db: Database, tokenHash: string): Promise<void> {
  await retried(db, () => db('console_links').where({ token_hash: tokenHash }).delete());
}

/** Consumes a link. @returns undefined when it was used concurrently, has expired, or its account is disabled */
export async function takeLink(
  trx: Transaction,
  tokenHash: string,
  now: Date,
): Promise<{ account: ConsoleAccountRow; opens: string | null } | undefined> {
  const link = await trx('console_links').where({ token_hash: tokenHash }).first();
  const isTaken = link && (await trx('console_links').where({ token_hash: tokenHash }).delete()) === 1;
  if (!isTaken || link.expires_at <= now.toISOString()) return undefined;
  const account = await trx('console_accounts').where({ id: link.account_id }).whereNull('disabled_at').first();
  return account && { account, opens: link.opens };
}

export async function noteSignIn(trx: Transaction, id: string, now: Date): Promise<void> {
  await trx('console_accounts').where({ id }).update({ last_signed_in_at: now.toISOString() });
}
