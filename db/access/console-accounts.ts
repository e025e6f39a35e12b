import { newId } from '../../core/ids.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { visitorRead } from './visitors.ts';

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

/** The operator whose browser has the session, if it lasts. */
export const findConsoleSession = visitorRead<Pick<ConsoleAccountRow, 'id' | 'name' | 'role'>>('account_id', () => ({
  id: 'holder.id',
  name: 'holder.name',
  role: 'holder.role',
}));
